"""Spectators who see a match some time after its players, by a time that only the test moves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import pytest
from grpc import StatusCode

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import event_pb2, match_pb2, replay_service_pb2
from tests.api.one_stream import follow, one_stream
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    play_to_the_end,
    server_at,
)

DELAY = 60


@dataclass
class Table:
    """A match of two, the first event of which the spectator may know."""

    server: DurakServer
    time: FakeTime
    players: list[Guest]
    spectator: Guest
    match_id: str

    async def start(self) -> None:
        """Let the second player join, with which the match starts."""
        await self.players[1].join(self.match_id)

    async def make_a_move(self) -> int:
        """Let whoever may move; return the number of the last event."""
        for player in self.players:
            view = await player.view(self.match_id)
            if view.legal_moves:
                return (await player.move(self.match_id, first_move(view))).sequence
        raise AssertionError("nobody may move")

    async def finish(self) -> int:
        """Play to the end; return the number of the last event."""
        await play_to_the_end(self.match_id, self.players)
        return (await self.players[0].view(self.match_id)).sequence

    async def messages_sent(self, method: str) -> float:
        """Return how many messages streams of a method were sent, once all is quiet."""
        for _ in range(3):
            await self.spectator.my_matches()
        return metric(
            self.server,
            "grpc_server_msg_sent_total",
            grpc_type="server_stream",
            grpc_service=f"durak.v1.{method.partition('/')[0]}",
            grpc_method=method.partition("/")[2],
        )


@asynccontextmanager
async def table(**fields: object) -> AsyncIterator[Table]:
    """Serve, and have a match that one player made."""
    time = FakeTime()
    async with server_at(time.keeper) as server, connected(server) as calls:
        *players, spectator = await calls.guests(3)
        made = await players[0].create(
            spectators="SPECTATORS_DELAYED",
            spectator_delay_seconds=DELAY,
            start_when_full=True,
            **fields,
        )
        yield Table(server, time, players, spectator, made.info.match_id)


async def test_a_stream_brings_each_event_when_its_time_has_come() -> None:
    async with table() as at:
        await at.start()
        started = (await at.players[0].view(at.match_id)).sequence
        async with aclosing(at.spectator.follow(at.match_id)) as stream:
            first = await anext(stream)
            assert (first.sequence, first.info.sequence, first.view.sequence) == (1, 1, 1)
            at.time.advance(20)
            moved = await at.make_a_move()
            sent = await at.messages_sent("PlayService/StreamEvents")
            at.time.advance(DELAY - 21)
            assert await at.messages_sent("PlayService/StreamEvents") == sent

            at.time.advance(1)
            update = await anext(stream)
            assert (update.sequence, update.view.sequence) == (started, started)
            assert [event.sequence for event in update.events] == list(range(2, started + 1))
            at.time.advance(20)
            update = await anext(stream)
            assert (update.sequence, update.view.sequence) == (moved, moved)
            assert not update.view.legal_moves


async def test_a_stream_ends_the_same_time_after_the_match() -> None:
    async with table() as at:
        await at.start()
        following = asyncio.create_task(at.spectator.followed(at.match_id))
        last = await at.finish()
        at.time.advance(DELAY - 1)
        assert (await at.spectator.view(at.match_id)).status == match_pb2.MATCH_STATUS_OPEN
        assert not following.done()

        at.time.advance(1)
        events = await following
        assert [event.sequence for event in events] == list(range(1, last + 1))
        assert (await at.spectator.view(at.match_id)).status == match_pb2.MATCH_STATUS_FINISHED


async def test_one_stream_of_many_matches_brings_them_late_as_well() -> None:
    async with table() as at, one_stream(at.spectator) as stream:
        await stream.ask(follow(at.match_id))
        first = stream.updates or [(await stream.news_of([at.match_id]))[at.match_id]]
        assert first[0].sequence == 1
        await at.start()
        started = (await at.players[0].view(at.match_id)).sequence
        at.time.advance(DELAY)
        assert (await stream.news_of([at.match_id]))[at.match_id].sequence == started


async def test_nothing_tells_of_the_end_before_its_time() -> None:
    async with table() as at:
        await at.start()
        last = await at.finish()
        replay, metadata = at.spectator.calls.replay, at.spectator.metadata
        ask = replay_service_pb2.GetReplayRequest(match_id=at.match_id)
        export = replay_service_pb2.ExportGameRequest(match_id=at.match_id)
        openly = replay_service_pb2.GetViewAtRequest(match_id=at.match_id, open_cards=True)
        for call in (
            replay.ExportGame(export, metadata=metadata),
            replay.GetViewAt(openly, metadata=metadata),
        ):
            assert (await failure_of(call)).reason == "MATCH_NOT_OVER"
        told = await replay.GetReplay(ask, metadata=metadata)
        assert ([event.sequence for event in told.events], told.open_cards) == ([1], False)
        assert (told.info.status, told.info.sequence) == (match_pb2.MATCH_STATUS_OPEN, 1)

        at.time.advance(DELAY)
        told = await replay.GetReplay(ask, metadata=metadata)
        assert (told.events[-1].sequence, told.open_cards) == (last, True)
        assert (await replay.ExportGame(export, metadata=metadata)).text


AHEAD: dict[str, Callable[[Guest, str, int], Awaitable[object]]] = {
    "StreamEvents": lambda guest, match_id, after: guest.followed(match_id, after),
    "GetReplay": lambda guest, match_id, after: guest.calls.replay.GetReplay(
        replay_service_pb2.GetReplayRequest(match_id=match_id, after_sequence=after),
        metadata=guest.metadata,
    ),
    "GetViewAt": lambda guest, match_id, after: guest.calls.replay.GetViewAt(
        replay_service_pb2.GetViewAtRequest(match_id=match_id, sequence=after),
        metadata=guest.metadata,
    ),
}


@pytest.mark.parametrize("call", AHEAD)
async def test_an_event_to_come_is_none_yet(call: str) -> None:
    async with table() as at:
        await at.start()
        known = (await at.players[0].view(at.match_id)).sequence
        failure = await failure_of(AHEAD[call](at.spectator, at.match_id, known))
        assert (failure.code, failure.reason) == (StatusCode.OUT_OF_RANGE, "SEQUENCE_AHEAD")
        assert failure.metadata == {"sequence": "1"}


async def test_nor_is_it_to_a_stream_of_many_matches() -> None:
    async with table() as at, one_stream(at.spectator) as stream:
        await at.start()
        known = (await at.players[0].view(at.match_id)).sequence
        [answer] = await stream.ask(follow(at.match_id, known))
        assert answer.refusal.reason == "SEQUENCE_AHEAD"
        assert dict(answer.refusal.metadata) == {"sequence": "1"}


async def test_lists_tell_that_a_match_is_played_and_not_how_it_stands() -> None:
    async with table(rules={"deals": 0}) as at:
        await at.start()
        (before,) = (await at.spectator.matches()).matches
        assert before.status == match_pb2.MATCH_STATUS_PLAYING
        assert (before.sequence, before.deal, before.updated_at) == (0, 0, before.created_at)
        async with aclosing(at.spectator.watch_lobby()) as lobby:
            assert [info.match_id for info in (await anext(lobby)).added] == [at.match_id]
            sent = await at.messages_sent("LobbyService/WatchLobby")
            at.time.advance(1)
            while (await at.players[0].look(at.match_id)).info.deal < 2:
                await at.make_a_move()
            assert await at.messages_sent("LobbyService/WatchLobby") == sent
        assert (await at.spectator.matches()).matches == [before]
        (own,) = (await at.players[0].matches()).matches
        assert own == (await at.players[0].look(at.match_id)).info


async def test_who_sits_down_sees_at_once_what_he_saw_late() -> None:
    async with (
        table(rules={"seats": 3}) as at,
        aclosing(at.spectator.follow(at.match_id)) as stream,
    ):
        assert (await anext(stream)).sequence == 1
        await at.players[1].join(at.match_id)
        await at.spectator.join(at.match_id)
        update = await anext(stream)
        assert update.view.HasField("seat")
        assert update.sequence == (await at.players[0].view(at.match_id)).sequence


async def test_who_gives_his_seat_up_again_is_told_no_more_than_spectators() -> None:
    async with table(rules={"seats": 3}) as at:
        await at.players[1].join(at.match_id)
        async with aclosing(at.players[1].follow(at.match_id)) as stream:
            reached = (await anext(stream)).sequence
            left = await at.players[1].leave(at.match_id)
            at.time.advance(DELAY)
            update = await anext(stream)
            assert [event.sequence for event in update.events] == list(range(reached + 1, left + 1))


BOUNDS = [
    ("SPECTATORS_DELAYED", 0),
    ("SPECTATORS_DELAYED", 3601),
    ("SPECTATORS_LIVE", 1),
    ("SPECTATORS_NONE", 60),
]


@pytest.mark.parametrize(("spectators", "seconds"), BOUNDS)
async def test_a_delay_out_of_its_bounds_is_refused(
    calls: Calls, spectators: str, seconds: int
) -> None:
    guest = await calls.guest()
    failure = await failure_of(guest.create(spectators=spectators, spectator_delay_seconds=seconds))
    assert (failure.code, failure.fields) == (
        StatusCode.INVALID_ARGUMENT,
        ("spectator_delay_seconds",),
    )


async def test_the_delay_is_told_and_goes_on_in_the_rematch() -> None:
    async with table() as at:
        await at.start()
        await at.finish()
        assert await at.players[0].rematch(at.match_id) == ""
        next_id = await at.players[1].rematch(at.match_id)
        look = await at.spectator.look(next_id)
        assert (look.info.sequence, look.info.spectator_delay_seconds) == (1, DELAY)
        events = await at.spectator.calls.replay.GetReplay(
            replay_service_pb2.GetReplayRequest(match_id=next_id), metadata=at.spectator.metadata
        )
        created: event_pb2.MatchCreated = events.events[0].match_created
        assert created.spectator_delay_seconds == DELAY
        assert created.spectators == match_pb2.SPECTATORS_DELAYED
