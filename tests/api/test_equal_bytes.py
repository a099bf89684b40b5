"""What a viewer may not know changes no byte that reaches him, nor its place (rules.md, 10)."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest
from google.protobuf.message import Message
from grpc import aio

from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from durak_server.api.wire_cards import wire_card, wire_mask
from durak_server.pb.durak.v1 import move_pb2
from durak_server.pb.durak.v1 import play_service_pb2 as play_pb
from durak_server.pb.durak.v1 import replay_service_pb2 as replay_pb
from durak_server.rules import Move, Preset, preset
from durak_server.store import SqliteStore
from tests.api.courses import Course, Step, any_course, twin_of
from tests.api.one_stream import OneStream, follow, one_stream
from tests.api.operators import SECRET
from tests.api.taps import Tap, tapped
from tests.fake_time import NOON, FakeTime
from tests.live_server import Calls, Guest, server_at
from tests.matches.tabletop import MATCH_ID

MOST_STEPS = int(os.environ.get("EQUAL_STEPS", "6"))
COURSES = int(os.environ.get("EQUAL_COURSES", "1"))
"""Of each preset and kind of viewer; with EQUAL_STEPS=40 they come nearer to the end."""

Heard = list[str | bytes | tuple[object, ...]]


def guest_of(calls: Calls, player_id: str, name: str) -> Guest:
    """A player whose id is the test's choice."""
    tokens = Tokens(SECRET, timedelta(days=1), lambda: NOON)
    expires_at = (NOON + timedelta(days=1)).timestamp()
    token = tokens.sign(Caller(player_id, name, frozenset({Scope.PLAY}), expires_at))
    return Guest(calls, name, player_id, token)


def on_the_wire(move: Move) -> move_pb2.Move:
    return move_pb2.Move(
        kind=move_pb2.MoveKind.Value(f"MOVE_KIND_{move.kind.name}"),
        cards=wire_mask(move.cards),
        target=wire_card(move.target),
    )


@dataclass(frozen=True)
class Ear:
    """The viewer on one of his connections, and what he hears there."""

    guest: Guest
    tap: Tap

    def heard(self) -> list[bytes]:
        """Return what came since the last time, in parts.

        A silence tells nothing, and what one message of `Play` joins is a matter of time.
        """
        return [
            part.SerializeToString()
            for _, message in self.tap.drain()
            for part in parts_of(message)
            if part.ByteSize()
        ]


def parts_of(message: Message) -> list[Message]:
    if isinstance(message, play_pb.PlayResponse):
        return [*message.answers, *message.updates, *message.ended]
    return [] if message == play_pb.StreamEventsResponse() else [message]


class Watched:
    """A match on a server, and a viewer who asks for everything after each of its moves.

    His ears are those of his calls, of a stream of the match alone, and of one for many matches.
    """

    def __init__(self, players: list[Guest], ears: list[Ear]) -> None:
        self._players = players
        self._calls, self._alone, self._many = ears
        self._heard: Heard = []

    async def play(self, course: Course) -> Heard:
        """Play a course; return all that the viewer heard, in order on each connection."""
        updates = self._alone.guest.follow(MATCH_ID)
        async with one_stream(self._many.guest) as stream:
            await stream.ask(follow(MATCH_ID))
            reached = (await self._calls.guest.view(MATCH_ID)).sequence
            await self._both_reach(updates, stream, reached)
            for number, step in enumerate(course.steps):
                await self._pry(step, reached)
                moved = await self._players[step.seat].move(
                    MATCH_ID, on_the_wire(step.move), request_id=f"move-{number}"
                )
                reached = moved.sequence
                await self._both_reach(updates, stream, reached)
            await updates.aclose()
        return self._heard

    async def _both_reach(
        self, updates: AsyncIterator[play_pb.Update], stream: OneStream, sequence: int
    ) -> None:
        async for update in updates:
            if update.sequence >= sequence:
                break
        while not stream.updates or stream.updates[-1].sequence < sequence:
            await stream.read()
        for ear in (self._alone, self._many):
            self._heard += ["a stream", *ear.heard()]

    async def _pry(self, step: Step, sequence: int) -> None:
        """Ask for all there is, one thing after the other, also for what is refused."""
        guest, move = self._calls.guest, on_the_wire(step.refused)
        replay, metadata = guest.calls.replay, guest.metadata
        log = replay_pb.GetReplayRequest(match_id=MATCH_ID)
        game = replay_pb.ExportGameRequest(match_id=MATCH_ID)
        past, open_past = (
            replay_pb.GetViewAtRequest(match_id=MATCH_ID, sequence=sequence, open_cards=is_open)
            for is_open in (False, True)
        )
        await self._hear(guest.look(MATCH_ID))
        await self._hear(guest.matches())
        await self._hear(guest.my_matches())
        await self._hear(guest.move(MATCH_ID, move, expected_sequence=sequence))
        await self._hear(guest.move(MATCH_ID, move, expected_sequence=sequence + 1))
        await self._hear(replay.GetReplay(log, metadata=metadata))
        await self._hear(replay.GetViewAt(past, metadata=metadata))
        await self._hear(replay.GetViewAt(open_past, metadata=metadata))
        await self._hear(replay.ExportGame(game, metadata=metadata))

    async def _hear(self, call: Awaitable[object]) -> None:
        try:
            await call
        except aio.AioRpcError as error:
            trailers = tuple(error.trailing_metadata())
            self._heard.append((error.code(), error.details(), trailers))
        self._heard += ["a call", *self._calls.heard()]


@asynccontextmanager
async def watched(course: Course, data: Path) -> AsyncIterator[Watched]:
    """Serve the match of a course, dealt and not yet played."""
    store = await SqliteStore.open(data / "durak.sqlite")
    await course.log().keep(store)
    await store.close()
    time = FakeTime()
    time.advance(60)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            server_at(time.keeper, store="sqlite", data=data, token_secret=SECRET)
        )
        channels = [
            await stack.enter_async_context(aio.insecure_channel(f"127.0.0.1:{server.port}"))
            for _ in range(4)
        ]
        ears = [ear_on(channel, course.viewer) for channel in channels[1:]]
        calls, seats = Calls(channels[0]), range(course.rules.seats)
        yield Watched([guest_of(calls, f"p{seat}", f"Player {seat}") for seat in seats], ears)


def ear_on(channel: aio.Channel, viewer: int | None) -> Ear:
    tap = Tap()
    player_id, name = ("v", "V") if viewer is None else (f"p{viewer}", f"Player {viewer}")
    return Ear(guest_of(Calls(tapped(channel, tap)), player_id, name), tap)


def folder_in(folder: Path) -> Path:
    return Path(mkdtemp(dir=folder))


async def heard_in(course: Course, data: Path) -> Heard:
    async with watched(course, data) as match:
        return await match.play(course)


@pytest.mark.parametrize("viewer", [0, None], ids=["player", "spectator"])
@pytest.mark.parametrize("name", Preset)
async def test_other_hidden_cards_change_no_byte(
    name: Preset, viewer: int | None, tmp_path: Path
) -> None:
    # A further deal would begin with the server's commitment, which nobody can make equal.
    rules = preset(name, seats=3, deals=1, redeal_right="NONE", leave="FORFEIT")
    dice, compared = Random(f"{name} {viewer}"), 0
    while compared < COURSES:
        course = any_course(rules, viewer, dice, MOST_STEPS)
        twin = twin_of(course, dice)
        if twin is None:
            continue
        one, other = await asyncio.gather(
            heard_in(course, folder_in(tmp_path)), heard_in(twin, folder_in(tmp_path))
        )
        assert one == other
        assert len(one) > 20 * len(course.steps)
        compared += 1
