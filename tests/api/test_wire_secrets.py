"""Every byte that reaches a viewer is searched for cards that he may not know (rules.md, 10)."""

import asyncio
import io
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import pytest
from grpc import aio
from prometheus_client import generate_latest

from durak_server.app import DurakServer
from durak_server.matches import History
from durak_server.pb.durak.v1 import (
    auth_service_pb2,
    card_pb2,
    match_pb2,
    move_pb2,
    play_service_pb2,
    replay_service_pb2,
    view_pb2,
)
from durak_server.rules import Preset
from tests.api.knowledge import SPECTATOR, Knowledge
from tests.api.taps import Tap, cards_named, cards_told, moments_in, sequences_in, tapped
from tests.fake_time import FakeTime
from tests.live_server import Calls, Failure, Guest, read_failure, running_server, server_at

# More find more: `make secrets`.
MATCHES_OF_EACH = int(os.environ.get("SECRETS_MATCHES", "3"))


@dataclass
class Viewer:
    """A guest with a tapped connection of his own."""

    guest: Guest
    tap: Tap
    seat: int | None = SPECTATOR


@dataclass(frozen=True)
class Told:
    """A failure as its caller got it, after which event, and the card that he named himself."""

    seat: int | None
    sequence: int
    failure: Failure
    named: int = 0


@asynccontextmanager
async def viewers(server: DurakServer, number: int) -> AsyncIterator[list[Viewer]]:
    """Connect so many, the last as a spectator."""
    async with AsyncExitStack() as stack:
        found = []
        for index in range(number + 1):
            tap = Tap()
            channel = aio.insecure_channel(f"127.0.0.1:{server.port}")
            calls = Calls(tapped(await stack.enter_async_context(channel), tap))
            seat = index if index < number else SPECTATOR
            found.append(Viewer(await calls.guest(f"Viewer {index}"), tap, seat))
        yield found


class Game:
    """One match, played at random, while everybody looks wherever he can."""

    def __init__(self, players: list[Viewer], spectator: Viewer, random: Random) -> None:
        self.everybody = [*players, spectator]
        self.told: list[Told] = []
        self._players = players
        self._random = random
        self._match_id = ""

    async def play(self, rules: Preset, deals: int) -> str:
        """Play to the end and return the match's id."""
        owner, *others = self._players
        made = await owner.guest.create(
            preset=f"PRESET_{rules.name}",
            rules={"seats": len(self._players), "deals": deals},
        )
        self._match_id = made.info.match_id
        for other in others:
            await other.guest.join(self._match_id)
        streams = [viewer.guest.follow(self._match_id) for viewer in self.everybody]
        await owner.guest.start(self._match_id)
        try:
            await self._follow(streams)
        finally:
            for stream in streams:
                await stream.aclose()
        return self._match_id

    async def _follow(self, streams: Sequence[AsyncIterator[play_service_pb2.Update]]) -> None:
        reached = (await self._players[0].guest.view(self._match_id)).sequence
        while True:
            last = [await _up_to(stream, reached) for stream in streams]
            if last[0].is_final:
                return
            movers = [index for index, update in enumerate(last) if update.view.legal_moves]
            index = self._random.choice(movers)
            if self._random.random() < 0.1:
                await self._pry(reached)
            move = _any_move(last[index].view, self._random)
            answer = await self._players[index].guest.move(self._match_id, move)
            reached = answer.sequence

    async def _pry(self, sequence: int) -> None:
        """Let anybody ask for what he may see, and for what he may not."""
        viewer = self._random.choice(self.everybody)
        guest, match_id = viewer.guest, self._match_id
        stub, metadata = guest.calls.replay, guest.metadata
        await guest.look(match_id)
        await stub.GetReplay(
            replay_service_pb2.GetReplayRequest(match_id=match_id), metadata=metadata
        )
        earlier = self._random.randint(1, sequence)
        past = replay_service_pb2.GetViewAtRequest(match_id=match_id, sequence=earlier)
        await stub.GetViewAt(past, metadata=metadata)
        past.open_cards = True
        card = self._random.choice(card_pb2.Card.values()[1:])
        move = move_pb2.Move(kind=move_pb2.MOVE_KIND_DUMP, cards=[card])
        export = replay_service_pb2.ExportGameRequest(match_id=match_id)
        for call, named in (
            (stub.GetViewAt(past, metadata=metadata), 0),
            (stub.ExportGame(export, metadata=metadata), 0),
            (guest.move(match_id, move, expected_sequence=sequence + 1), card),
            (guest.move("no-such-match", move), card),
        ):
            try:
                answer = await call
            except aio.AioRpcError as error:
                self.told.append(Told(viewer.seat, sequence, read_failure(error), named))
            else:
                raise AssertionError(f"{viewer.seat} was told {answer}")


async def _up_to(
    stream: AsyncIterator[play_service_pb2.Update], sequence: int
) -> play_service_pb2.Update:
    async for update in stream:
        if update.sequence >= sequence:
            return update
    raise AssertionError("the stream ended before the match")


def _any_move(view: view_pb2.View, random: Random) -> move_pb2.Move:
    group = random.choice(view.legal_moves)
    cards = random.sample(list(group.cards), group.min_cards)
    return move_pb2.Move(kind=group.kind, cards=cards, target=group.target)


def assert_nothing_told(game: Game, history: History) -> None:
    """Search everything that the viewers of one match got."""
    knowledge = Knowledge(history)
    seeds = knowledge.seeds_by_sequence_of_showing
    for viewer in game.everybody:
        for data, message in viewer.tap.drain():
            for sequence, card in cards_told(message):
                assert card in knowledge.known(viewer.seat, sequence), (viewer.seat, message)
            latest = max(sequences_in(message), default=0)
            assert not [seed for shown, seed in seeds if seed in data and shown > latest]
    for told in game.told:
        text = repr(told.failure)
        assert cards_named(text) <= {*knowledge.known(told.seat, told.sequence), told.named}, text


@pytest.mark.parametrize("rules", Preset)
async def test_no_byte_names_a_card_that_its_viewer_may_not_know(
    rules: Preset, lines: io.StringIO
) -> None:
    async with running_server() as server, viewers(server, 4) as connected:
        *players, spectator = connected
        for number in range(MATCHES_OF_EACH):
            seats = 2 + number % 3
            game = Game(players[:seats], spectator, Random(number))
            match_id = await game.play(rules, deals=2 if seats == 2 else 1)
            live = await server.live.find(match_id)
            assert_nothing_told(game, live.history)
        metrics = generate_latest(server.metrics.registry).decode()

    assert not cards_named(metrics)
    assert not cards_named(lines.getvalue())
    assert not [viewer for viewer in connected if viewer.guest.token in lines.getvalue()]


DELAY = 30


async def look_around(guest: Guest, match_id: str, ahead: int) -> list[Failure]:
    """Ask for all that a spectator may ask for; return how some of it failed.

    `ahead` is the number of an event that he may not know of.
    """
    replay, metadata = guest.calls.replay, guest.metadata
    await guest.look(match_id)
    await guest.matches()
    await guest.matches(filter={"statuses": ["MATCH_STATUS_FINISHED"]})
    await replay.GetReplay(
        replay_service_pb2.GetReplayRequest(match_id=match_id), metadata=metadata
    )
    failed = []
    for call in (
        guest.followed(match_id, after=ahead),
        replay.GetViewAt(
            replay_service_pb2.GetViewAtRequest(match_id=match_id, sequence=ahead),
            metadata=metadata,
        ),
        guest.move(match_id, move_pb2.Move(kind=move_pb2.MOVE_KIND_PASS), expected_sequence=ahead),
        guest.leave(match_id, expected_sequence=ahead),
        guest.say(match_id, "Hurry up!"),
        guest.join(match_id),
    ):
        try:
            await call
        except aio.AioRpcError as error:
            failed.append(read_failure(error))
    return failed


class LateLook:
    """What reached a spectator who sees a match late, held against what he may know by now."""

    def __init__(self, spectator: Viewer, match_id: str, history: History, time: FakeTime) -> None:
        self._spectator = spectator
        self._match_id = match_id
        self._history = history
        self._time = time

    async def check(self, random: Random) -> None:
        """Let him look around, then search everything that he got."""
        until = self._time.now - timedelta(seconds=DELAY)
        reached = max(1, self._history.sequence_at(until))
        ahead = random.randint(reached + 1, self._history.sequence + 2)
        for failure in await look_around(self._spectator.guest, self._match_id, ahead):
            assert int(failure.metadata.get("sequence", 0)) <= reached, failure
        first = self._history.records(0, 1)[0].recorded_at
        for _, message in self._spectator.tap.drain():
            assert max(sequences_in(message), default=0) <= reached, message
            assert all(moment <= max(first, until) for moment in moments_in(message)), message


async def test_no_byte_tells_a_late_spectator_of_the_present() -> None:
    time, random = FakeTime(), Random(7)
    async with server_at(time.keeper) as server, viewers(server, 2) as connected:
        *players, spectator = connected
        owner, other = (player.guest for player in players)
        made = await owner.create(spectators="SPECTATORS_DELAYED", spectator_delay_seconds=DELAY)
        match_id = made.info.match_id
        following = asyncio.create_task(spectator.guest.followed(match_id))
        await other.join(match_id)
        await owner.start(match_id)
        late = LateLook(spectator, match_id, (await server.live.find(match_id)).history, time)
        while (view := await owner.view(match_id)).status == match_pb2.MATCH_STATUS_PLAYING:
            mover = owner if view.legal_moves else other
            await mover.move(match_id, _any_move(await mover.view(match_id), random))
            await late.check(random)
            time.advance(random.choice((0, 1, 7, 20)))
        for _ in range(DELAY // 3):
            await late.check(random)
            time.advance(3)
        events = await following
    assert [event.sequence for event in events] == list(range(1, view.sequence + 1))


def test_a_card_that_a_text_names_is_found_but_not_in_a_token() -> None:
    seat = match_pb2.Seat(name="8S")
    guest = auth_service_pb2.CreateGuestResponse(token="eyJ.eyJ.2C_kmL")

    assert [card for _, card in cards_told(seat)] == [card_pb2.CARD_EIGHT_OF_SPADES]
    assert list(cards_told(guest)) == []
