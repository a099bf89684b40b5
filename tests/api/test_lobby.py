"""How matches are made, found, filled and left, call by call."""

import pytest

from durak_server.api.wire_rules import wire_rules
from durak_server.pb.durak.v1 import match_pb2, rules_pb2
from durak_server.rules import Preset, preset
from tests.live_server import Calls, Guest, failure_of


def names(info: match_pb2.MatchInfo) -> list[str]:
    """Who sits where; an empty name is a free seat."""
    return [seat.name for seat in info.seats]


async def test_a_guest_is_somebody_else_each_time(calls: Calls) -> None:
    first, second = await calls.guests(2)

    assert first.player_id != second.player_id
    assert first.token != second.token


async def test_who_makes_a_match_sits_on_its_first_seat(calls: Calls) -> None:
    vasya = await calls.guest("Vasya")

    made = await vasya.create(match_id="our-table", rules={"seats": 3})

    info = made.info
    assert made.seat == 0
    assert info.match_id == "our-table"
    assert info.status == match_pb2.MATCH_STATUS_OPEN
    assert info.preset == rules_pb2.PRESET_PODKIDNOY
    assert info.rules == wire_rules(preset(Preset.PODKIDNOY, seats=3))
    assert [seat.seat for seat in info.seats] == [0, 1, 2]
    assert info.seats[0] == match_pb2.Seat(
        seat=0,
        kind=match_pb2.PLAYER_KIND_HUMAN,
        player_id=vasya.player_id,
        name="Vasya",
        presence=match_pb2.PRESENCE_CONNECTED,
    )
    assert info.seats[1] == match_pb2.Seat(seat=1)
    assert info.owner_id == vasya.player_id
    assert info.visibility == match_pb2.VISIBILITY_PUBLIC
    assert info.spectators == match_pb2.SPECTATORS_LIVE
    assert info.sequence == 3
    assert info.deal == 0
    assert len(info.invite_code) == 10


@pytest.mark.parametrize("name", ["PODKIDNOY", "PEREVODNOY", "PROSTOY", "JAPANESE"])
async def test_every_playable_preset_gives_its_full_rule_set(calls: Calls, name: str) -> None:
    vasya = await calls.guest()

    made = await vasya.create(preset=f"PRESET_{name}")

    assert made.info.rules == wire_rules(preset(Preset[name]))
    assert {field.name for field, _ in made.info.rules.ListFields()} == set(
        rules_pb2.RuleSet.DESCRIPTOR.fields_by_name
    )


async def test_a_joiner_takes_the_first_free_seat_or_the_one_he_asks_for(calls: Calls) -> None:
    a, b, c = await calls.guests(3)
    match_id = (await a.create(rules={"seats": 4})).info.match_id

    assert (await b.join(match_id, seat=2)).seat == 2
    joined = await c.join(match_id)

    assert joined.seat == 1
    assert names(joined.info) == ["Guest 0", "Guest 2", "Guest 1", ""]


async def test_an_unlisted_match_is_joined_by_its_code_in_any_case(calls: Calls) -> None:
    a, b = await calls.guests(2)
    made = await a.create(visibility="VISIBILITY_UNLISTED")

    by_id = await failure_of(b.join(made.info.match_id))
    by_code = await b.join(invite_code=made.info.invite_code.lower())

    assert by_id.reason == "MATCH_NOT_FOUND"
    assert by_code.seat == 1
    assert by_code.info.invite_code == made.info.invite_code


async def test_joining_again_changes_nothing(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(rules={"seats": 3})).info.match_id
    first = await b.join(match_id, request_id="tap")

    assert await b.join(match_id, request_id="double tap") == first
    assert await b.join(match_id) == first


async def test_a_match_that_starts_when_full_is_dealt_with_the_last_join(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(start_when_full=True)).info.match_id

    joined = await b.join(match_id)

    assert joined.info.status == match_pb2.MATCH_STATUS_PLAYING
    assert joined.info.deal == 1
    assert (await a.view(match_id)).deal.number == 1


async def test_bots_fill_seats_and_have_names_of_their_own(calls: Calls) -> None:
    a = await calls.guest("Vasya")
    match_id = (await a.create(rules={"seats": 4})).info.match_id

    lowest = await a.add_bot(match_id, seat=3)
    random = await a.add_bot(match_id, level="BOT_LEVEL_RANDOM")
    default = await a.add_bot(match_id)

    assert [lowest.seat, random.seat, default.seat] == [3, 1, 2]
    seats = default.info.seats
    assert [seat.kind for seat in seats[1:]] == [match_pb2.PLAYER_KIND_BOT] * 3
    assert [seat.bot_level for seat in seats] == [
        match_pb2.BOT_LEVEL_UNSPECIFIED,
        match_pb2.BOT_LEVEL_RANDOM,
        match_pb2.BOT_LEVEL_LOWEST,
        match_pb2.BOT_LEVEL_LOWEST,
    ]
    assert len(set(names(default.info))) == 4


async def test_the_owner_starts_a_full_match(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create()).info.match_id
    await b.join(match_id)

    info = await a.start(match_id)

    assert info.status == match_pb2.MATCH_STATUS_PLAYING
    assert info.deal == 1


async def test_who_leaves_before_the_start_frees_his_seat_and_hands_over(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(rules={"seats": 3})).info.match_id
    await b.join(match_id)

    sequence = await a.leave(match_id)

    info = (await b.look(match_id)).info
    assert info.sequence == sequence
    assert names(info) == ["", "Guest 1", ""]
    assert info.owner_id == b.player_id


async def test_a_match_without_humans_is_abandoned(calls: Calls) -> None:
    a = await calls.guest()
    match_id = (await a.create()).info.match_id
    await a.add_bot(match_id)

    await a.leave(match_id)

    assert (await a.look(match_id)).info.status == match_pb2.MATCH_STATUS_ABANDONED


async def test_the_lobby_lists_public_matches_newest_first_page_by_page(calls: Calls) -> None:
    a = await calls.guest()
    made = [(await a.create()).info.match_id for _ in range(5)]
    await a.create(visibility="VISIBILITY_UNLISTED")

    first = await a.matches(page_size=3)
    second = await a.matches(page_size=3, page_token=first.next_page_token)

    listed = [info.match_id for page in (first, second) for info in page.matches]
    assert listed == made[::-1]
    assert first.next_page_token
    assert not second.next_page_token


FILTERS = [
    ({}, ["two", "three"]),
    ({"presets": ["PRESET_PEREVODNOY"]}, ["three"]),
    ({"rules": {"seats": 2}}, ["two"]),
    ({"rules": {"seats": 3, "throw_in": "THROW_IN_NEIGHBOURS"}}, ["three"]),
    ({"rules": {"transfer": False}}, ["two"]),
    ({"has_free_seat": True}, ["three"]),
    ({"statuses": ["MATCH_STATUS_OPEN"]}, ["three"]),
    ({"statuses": ["MATCH_STATUS_PLAYING"]}, ["two"]),
    ({"statuses": ["MATCH_STATUS_FINISHED"]}, []),
    ({"statuses": ["MATCH_STATUS_ABANDONED"]}, ["left"]),
]


async def some_matches(owner: Guest) -> None:
    await owner.create(match_id="two")
    await owner.add_bot("two")
    await owner.start("two")
    rules = {"seats": 3, "throw_in": "THROW_IN_NEIGHBOURS"}
    await owner.create(match_id="three", preset="PRESET_PEREVODNOY", rules=rules)
    await owner.create(match_id="left")
    await owner.leave("left")


@pytest.mark.parametrize(("filter_", "expected"), FILTERS)
async def test_the_lobby_filters_by_all_that_is_set(
    calls: Calls, filter_: dict[str, object], expected: list[str]
) -> None:
    a = await calls.guest()
    await some_matches(a)

    found = await a.matches(filter=filter_)

    assert sorted(info.match_id for info in found.matches) == sorted(expected)


async def test_only_those_seated_are_told_the_invite_code(calls: Calls) -> None:
    a, b = await calls.guests(2)
    made = await a.create()
    match_id, code = made.info.match_id, made.info.invite_code

    assert (await a.matches()).matches[0].invite_code == code
    assert (await a.look(match_id)).info.invite_code == code
    assert (await b.matches()).matches[0].invite_code == ""
    assert (await b.look(match_id)).info.invite_code == ""


async def test_a_player_finds_the_matches_at_which_he_sits(calls: Calls) -> None:
    a, b = await calls.guests(2)
    made = await a.create(match_id="seated", visibility="VISIBILITY_UNLISTED")
    await a.create(match_id="other")
    await b.join(invite_code=made.info.invite_code)
    await b.join("other")
    await b.leave("other")

    mine = await b.my_matches()

    assert [info.match_id for info in mine.matches] == ["seated"]
    assert mine.matches[0].invite_code == made.info.invite_code
