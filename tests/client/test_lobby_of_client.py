from datetime import timedelta

import pytest

from durak_client import Admission, BotLevel, Denied, MatchStatus, NotFound, Preset, RuleRefused
from durak_client.matches import Spectators
from tests.client.players import player
from tests.live_server import running_server


async def test_a_match_is_made_with_the_rules_asked_for() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(
            "perevodnoy",
            seats=3,
            visibility="unlisted",
            spectators="none",
            deck=52,
            throw_in="NEIGHBOURS",
            transfer_many=True,
        )
        info = match.info
        assert info is not None
        assert (info.match_id, match.seat, info.preset) == (match.match_id, 0, Preset.PEREVODNOY)
        wanted = {"seats": 3, "deck": 52, "throw_in": "NEIGHBOURS", "transfer_many": True}
        assert {name: info.rules[name] for name in wanted} == wanted
        assert (info.visibility.name, info.spectators.name) == ("UNLISTED", "NONE")
        assert [seat.name for seat in info.seats] == ["Vasya", "", ""]
        assert info.owner_id == info.seats[0].player_id == client.player_id


async def test_spectators_may_be_late_by_so_many_seconds() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(spectators="delayed", spectator_delay_seconds=90)
        assert match.info is not None
        assert match.info.spectators == Spectators.DELAYED
        assert match.info.spectator_delay_seconds == 90


async def test_players_join_by_id_or_code_and_the_owner_starts() -> None:
    async with (
        running_server() as server,
        player(server.port, "Vasya") as owner,
        player(server.port, "Boris") as by_id,
        player(server.port, "Galina") as by_code,
    ):
        match = await owner.create_match(seats=4)
        assert match.info is not None
        joined = await by_id.join(match.match_id)
        again = await by_id.join(match.match_id)
        coded = await by_code.join(invite_code=match.info.invite_code.lower(), seat=3)
        assert (joined.seat, again.seat, coded.seat) == (1, 1, 3)
        assert await match.add_bot(BotLevel.RANDOM) == 2
        started = await match.start()
        assert started.status == MatchStatus.PLAYING
        assert [(seat.name, seat.bot_level.name) for seat in started.seats][:2] == [
            ("Vasya", "UNSPECIFIED"),
            ("Boris", "UNSPECIFIED"),
        ]
        assert started.seats[2].bot_level == BotLevel.RANDOM
        view = await coded.view()
        assert (view.seat, len(view.hand), view.name_of(0)) == (3, 6, "Vasya")


async def test_matches_are_listed_page_by_page_newest_first() -> None:
    async with running_server() as server, player(server.port) as client:
        locked = Admission(password="kladez")
        made = [await client.create_match(seats=2, admission=locked) for _ in range(5)]
        other = await client.create_match("prostoy", seats=3)
        newest_first = [match.match_id for match in [other, *reversed(made)]]
        assert [info.match_id async for info in client.matches(page_size=2)] == newest_first
        assert [info.match_id async for info in client.my_matches(page_size=2)] == newest_first
        for listed, found in (
            (client.matches(presets=["prostoy"]), [other.match_id]),
            (client.matches(seats=3, has_free_seat=True), [other.match_id]),
            (client.matches(has_no_password=True), [other.match_id]),
            (client.matches(statuses=["playing"]), []),
        ):
            assert [info.match_id async for info in listed] == found


async def test_a_guest_comes_back_by_his_token() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(seats=2)
        async with player(server.port, token=client.token) as again:
            assert again.player_id == client.player_id
            mine = [info async for info in again.my_matches()]
            assert [info.match_id for info in mine] == [match.match_id]
            await again.match(match.match_id).leave()
        assert [info async for info in client.my_matches()] == []


async def test_a_name_that_is_none_is_refused_before_any_call() -> None:
    async with running_server() as server, player(server.port) as client:
        with pytest.raises(ValueError, match="'whist' is not one of podkidnoy"):
            await client.create_match("whist")
        with pytest.raises(ValueError, match="no option is called 'color'"):
            await client.create_match(color="red")
        match = await client.create_match()
        with pytest.raises(ValueError, match="'clever' is not one of random, lowest"):
            await match.add_bot("clever")
        with pytest.raises(RuleRefused):
            await match.start()


async def test_the_owner_removes_a_player_who_cannot_come_back() -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as other,
    ):
        match = await owner.create_match(seats=3)
        await other.join(match.match_id)
        info = await match.remove(other.player_id)
        assert [seat.name for seat in info.seats] == ["Vasya", "", ""]
        with pytest.raises(Denied) as refused:
            await other.join(match.match_id)
        assert refused.value.reason == "PLAYER_REMOVED"


async def test_players_of_the_same_rules_are_brought_together() -> None:
    async with (
        running_server() as server,
        player(server.port) as first,
        player(server.port, "Boris") as second,
    ):
        made = await first.quick_match("prostoy", seats=2, deck=52)
        joined = await second.quick_match("prostoy", seats=2, deck=52)
        assert (made.seat, joined.seat, joined.match_id) == (0, 1, made.match_id)
        assert joined.info is not None
        assert joined.info.status == MatchStatus.PLAYING
        seeds = [event.fact for event in (await made.replay()).events if event.kind == "seed_added"]
        assert len(seeds) == 2


async def test_who_knows_the_password_joins() -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as friend,
    ):
        match = await owner.create_match(admission=Admission(password="kladez"))
        assert match.info is not None
        assert match.info.has_password
        with pytest.raises(Denied) as refused:
            await friend.join(match.match_id)
        assert refused.value.reason == "PASSWORD_WRONG"
        assert (await friend.join(match.match_id, password="kladez")).seat == 1


async def test_the_owner_makes_another_invite_code_for_as_long_as_he_likes() -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as friend,
    ):
        admission = Admission(invite_lifetime=timedelta(hours=2))
        match = await owner.create_match(visibility="unlisted", admission=admission)
        assert match.info is not None
        first = match.info
        assert first.invite_expires_at == first.created_at + timedelta(hours=2)
        renewed = await match.renew_invite(timedelta(minutes=5))
        with pytest.raises(NotFound):
            await friend.join(invite_code=first.invite_code)
        assert (await friend.join(invite_code=renewed.invite_code)).seat == 1


async def test_a_match_waits_until_its_players_are_ready() -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as other,
    ):
        match = await owner.create_match(admission=Admission(require_ready=True))
        assert match.info is not None
        assert match.info.require_ready
        joined = await other.join(match.match_id)
        with pytest.raises(RuleRefused) as refused:
            await match.start()
        assert refused.value.metadata == {"seats": "1"}
        assert (await joined.set_ready()).seats[1].is_ready
        assert not (await joined.set_ready(is_ready=False)).seats[1].is_ready
        await joined.set_ready()
        assert (await match.start()).status == MatchStatus.PLAYING


async def test_seats_are_kept_for_friends_until_the_owner_releases_them() -> None:
    async with (
        running_server() as server,
        player(server.port) as owner,
        player(server.port, "Boris") as friend,
        player(server.port, "Galina") as stranger,
    ):
        admission = Admission(reserved_for=(friend.player_id,), reserved_for_code=1)
        match = await owner.create_match(seats=3, admission=admission)
        assert match.info is not None
        assert match.info.reserved_seats == 2
        with pytest.raises(RuleRefused) as refused:
            await stranger.join(match.match_id)
        assert refused.value.metadata == {"reserved": "2"}
        assert (await friend.join(match.match_id)).seat == 1
        assert (await match.release_seats()).reserved_seats == 0
        assert (await stranger.join(match.match_id)).seat == 2
