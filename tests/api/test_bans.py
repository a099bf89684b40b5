"""A player whom the operator keeps out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode, aio

from durak_server.api.callers import Scope
from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import lobby_service_pb2, match_pb2, play_service_pb2
from tests.api.one_stream import follow, one_stream
from tests.api.operators import OPERATED, Operator, kept_in, operating, token_with
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    Failure,
    Guest,
    connected,
    failure_of,
    play_to_the_end,
    running_server,
    server_at,
    started_match,
)

BANNED = Failure(
    StatusCode.PERMISSION_DENIED,
    "PLAYER_BANNED",
    "The player is banned: be kind",
    {"text": "be kind"},
)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DurakServer]:
    async with running_server(**kept_in(tmp_path)) as server:
        yield server


@pytest.fixture
async def operator(server: DurakServer) -> AsyncIterator[Operator]:
    async with operating(server) as operator:
        yield operator


async def read_all(read: Callable[[], Awaitable[object]]) -> None:
    """Read a stream to its end; an error of the stream is raised."""
    while await read() is not aio.EOF:
        pass


async def test_new_calls_are_refused_and_tell_why(calls: Calls, operator: Operator) -> None:
    anna = await calls.guest()
    await operator.ban(anna.player_id, text="be kind")

    for attempt in (anna.create(), anna.matches(), anna.look("m"), anna.followed("m")):
        assert await failure_of(attempt) == BANNED


async def test_streams_of_every_kind_end(calls: Calls, operator: Operator) -> None:
    anna = await calls.guest()
    match_id = (await anna.create()).info.match_id
    events = calls.play.StreamEvents(
        play_service_pb2.StreamEventsRequest(match_id=match_id), metadata=anna.metadata
    )
    lobby = calls.lobby.WatchLobby(lobby_service_pb2.WatchLobbyRequest(), metadata=anna.metadata)
    for stream in (events, lobby):
        await stream.read()
    async with one_stream(anna) as play:
        await play.ask(follow(match_id))

        answer = await operator.ban(anna.player_id, text="be kind")

        assert answer.streams_ended == 3
        for read in (events.read, lobby.read, play.call.read):
            assert await failure_of(read_all(read)) == BANNED


async def test_he_leaves_his_matches_and_the_others_play_on(
    calls: Calls, operator: Operator
) -> None:
    anna, boris, clara = guests = await calls.guests(3)
    playing = await started_match(3, guests)
    waiting = (await boris.create()).info.match_id
    await anna.join(waiting)

    answer = await operator.ban(anna.player_id)

    assert answer.seats_given_up == 2
    info = (await boris.look(playing)).info
    assert [seat.has_left for seat in info.seats] == [True, False, False]
    assert (info.status, info.owner_id) == (match_pb2.MATCH_STATUS_PLAYING, boris.player_id)
    assert [seat.player_id for seat in (await boris.look(waiting)).info.seats][1:] == [""]
    assert (await clara.view(playing)).seat == 2


async def test_he_gets_no_seat_that_he_asked_for_before(calls: Calls, operator: Operator) -> None:
    owner, anna = await calls.guests(2)
    made = await owner.create(password="sesame", rules={"seats": 3})
    match_id = made.info.match_id

    # The password takes the server a while: the ban may well be there first.
    joining = asyncio.ensure_future(anna.join(match_id, password="sesame"))
    await operator.ban(anna.player_id)
    await asyncio.gather(joining, return_exceptions=True)

    seated = [seat.player_id for seat in (await owner.look(match_id)).info.seats]
    assert seated == [owner.player_id, "", ""]


async def test_he_gets_no_seat_at_a_rematch_that_he_wanted_before(
    calls: Calls, operator: Operator
) -> None:
    boris, anna = players = await calls.guests(2)
    match_id = await started_match(2, players, rules={"deck": 24})
    await play_to_the_end(match_id, players)
    await anna.rematch(match_id)

    await operator.ban(anna.player_id)

    rematch = (await boris.look(await boris.rematch(match_id))).info
    assert [seat.has_left for seat in rematch.seats] == [False, True]


async def test_who_is_let_in_again_may_play(calls: Calls, operator: Operator) -> None:
    anna = await calls.guest()
    await operator.ban(anna.player_id)

    assert await operator.unban(anna.player_id)
    assert (await anna.my_matches()).matches == []
    assert not await operator.unban(anna.player_id)


async def test_a_ban_outlives_the_server(tmp_path: Path) -> None:
    async with (
        running_server(**kept_in(tmp_path)) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        anna = await calls.guest()
        await operator.ban(anna.player_id, text="be kind")

    async with running_server(**kept_in(tmp_path)) as server, connected(server) as calls:
        again = Guest(calls, "", anna.player_id, anna.token)
        assert await failure_of(again.my_matches()) == BANNED


async def test_a_ban_for_a_while_ends_by_itself() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, **OPERATED) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        anna = await calls.guest()
        await operator.ban(anna.player_id, duration=Duration(seconds=3600))

        time.advance(3599)
        failure = await failure_of(anna.my_matches())
        assert failure.metadata == {"until": "2026-11-30T13:00:00+00:00"}
        time.advance(1)
        assert (await anna.my_matches()).matches == []
        assert (await operator.bans()).bans == []


async def test_bans_are_listed_page_by_page_with_who_did_it(operator: Operator) -> None:
    for name in ("c", "a", "b"):
        await operator.ban(name, text=f"no {name}")

    first = await operator.bans(page_size=2)
    second = await operator.bans(page_size=2, page_token=first.next_page_token)

    bans = [*first.bans, *second.bans]
    assert [(ban.player_id, ban.text, ban.banned_by) for ban in bans] == [
        (name, f"no {name}", "operator-anna") for name in "abc"
    ]
    assert second.next_page_token == ""


MALFORMED = [
    ({"player_id": ""}, "player_id"),
    ({"player_id": "a b"}, "player_id"),
    ({"player_id": "anna\n"}, "player_id"),
    ({"player_id": "Анна"}, "player_id"),
    ({"player_id": "a" * 65}, "player_id"),
    ({"player_id": "a", "text": "x" * 201}, "text"),
    ({"player_id": "a", "duration": Duration(seconds=0)}, "duration"),
    ({"player_id": "a", "duration": Duration(seconds=-1)}, "duration"),
    ({"player_id": "a", "duration": Duration(seconds=2**40)}, "duration"),
]


@pytest.mark.parametrize(("fields", "field"), MALFORMED)
async def test_a_malformed_ban_bans_nobody(
    operator: Operator, fields: dict[str, str], field: str
) -> None:
    assert (await failure_of(operator.ban(**fields))).fields == (field,)
    assert (await operator.bans()).bans == []


async def test_an_answer_tells_whether_anybody_of_that_id_was_ever_here() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, **OPERATED, presence_grace_seconds=20) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        visitor, sitting, finished, rival = await calls.guests(4)
        await visitor.my_matches()
        assert (await operator.ban(visitor.player_id)).is_known

        await sitting.create()
        await play_to_the_end(
            await started_match(2, [finished, rival], rules={"deck": 24}), [finished, rival]
        )
        time.advance(60)
        for player in (sitting, finished):
            assert (await operator.ban(player.player_id)).is_known
        assert not (await operator.ban("mistyped")).is_known


async def test_who_was_banned_before_he_ever_came_is_kept_out(
    calls: Calls, operator: Operator
) -> None:
    boris = Guest(calls, "Boris", "boris", token_with(Scope.PLAY, subject="boris"))
    answer = await operator.ban("boris", text="be kind")
    assert not answer.is_known
    assert await failure_of(boris.create()) == BANNED


async def test_others_follow_on(calls: Calls, operator: Operator) -> None:
    anna, boris = await calls.guests(2)
    match_id = (await anna.create()).info.match_id
    async with aclosing(boris.follow(match_id)) as updates:
        await anext(updates)
        await operator.ban(anna.player_id)

        left, over = (await anext(updates)).events
        assert left.player_left.player_id == anna.player_id
        assert over.HasField("match_abandoned")
