"""What the others feel while one player floods the server: `make bench-flood`.

Tables of two play calmly, one move at a time each. Meanwhile a flooder in a process of its own, who
has a token like everybody, calls as fast as he can and minds no refusal: what answers with nothing,
or with the whole log of a long match. Times are those that the
calm players measure; calm and flooded spells take turns in one run, so their ratio can be compared.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter
from typing import TypeAlias

from grpc import aio

from bench.serving import Server, running
from durak_server.pb.durak.v1 import (
    auth_service_pb2,
    auth_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    move_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    replay_service_pb2,
    replay_service_pb2_grpc,
    rules_pb2,
    view_pb2,
)

TABLES = 8
PAUSE_SECONDS = 0.02
SPELLS = 3
CONNECTIONS = 4
LONG_LOG = 1_000
Call: TypeAlias = Callable[["Player", str], Awaitable[None]]
Stream: TypeAlias = (
    "aio.UnaryStreamCall[play_service_pb2.StreamEventsRequest,"
    " play_service_pb2.StreamEventsResponse]"
)
_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


@dataclass
class Times:
    """Seconds from a move's sending to its answer, and to the other player's stream."""

    answered: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)


class Player:
    """A guest with a connection of his own."""

    def __init__(self, channel: aio.Channel) -> None:
        self.auth = auth_service_pb2_grpc.AuthServiceStub(channel)
        self.lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        self.play = play_service_pb2_grpc.PlayServiceStub(channel)
        self.replay = replay_service_pb2_grpc.ReplayServiceStub(channel)
        self.metadata: tuple[tuple[str, str], ...] = ()

    async def sign_in(self) -> None:
        """Become somebody."""
        guest = await self.auth.CreateGuest(auth_service_pb2.CreateGuestRequest(name="A"))
        self.metadata = (("authorization", f"Bearer {guest.token}"),)

    async def view(self, match_id: str) -> view_pb2.View:
        """Look at a match."""
        request = play_service_pb2.GetViewRequest(match_id=match_id)
        return (await self.play.GetView(request, metadata=self.metadata)).view


async def connected(target: str, stack: AsyncExitStack) -> Player:
    """Return a player until the end of the stack."""
    channel = aio.insecure_channel(target, options=_OWN_CONNECTION)
    player = Player(await stack.enter_async_context(channel))
    await player.sign_in()
    return player


async def seated(target: str, stack: AsyncExitStack) -> tuple[list[Player], str]:
    """Return two players of a match without an end, and its id."""
    players = [await connected(target, stack) for _ in range(2)]
    made = await players[0].lobby.CreateMatch(
        lobby_service_pb2.CreateMatchRequest(
            rules=rules_pb2.RuleSet(deals=0), start_when_full=True
        ),
        metadata=players[0].metadata,
    )
    match_id = made.info.match_id
    join = lobby_service_pb2.JoinMatchRequest(match_id=match_id)
    await players[1].lobby.JoinMatch(join, metadata=players[1].metadata)
    return players, match_id


async def play_table(target: str, moves: int) -> Times:
    """Play calmly until so many moves were made, and measure each."""
    times = Times()
    async with AsyncExitStack() as stack:
        players, match_id = await seated(target, stack)
        following = play_service_pb2.StreamEventsRequest(
            match_id=match_id, view_mode=play_service_pb2.VIEW_MODE_NEVER
        )
        streams = [
            player.play.StreamEvents(following, metadata=player.metadata) for player in players
        ]
        for _ in range(moves):
            await asyncio.sleep(PAUSE_SECONDS)
            mover, request = await _next_move(players, match_id)
            begun = perf_counter()
            answer = await players[mover].play.MakeMove(request, metadata=players[mover].metadata)
            times.answered.append(perf_counter() - begun)
            await _read_up_to(streams[1 - mover], answer.sequence)
            times.told.append(perf_counter() - begun)
        for stream in streams:
            stream.cancel()
    return times


async def _read_up_to(stream: Stream, sequence: int) -> None:
    while (message := await stream.read()) is not aio.EOF:
        assert isinstance(message, play_service_pb2.StreamEventsResponse)
        if message.update.sequence >= sequence:
            return


async def _next_move(
    players: list[Player], match_id: str
) -> tuple[int, play_service_pb2.MakeMoveRequest]:
    """Return who of two is to move, and the first move that he may make."""
    views = [await player.view(match_id) for player in players]
    mover = 0 if views[0].legal_moves else 1
    move = _first_move(views[mover])
    return mover, play_service_pb2.MakeMoveRequest(match_id=match_id, move=move)


def _first_move(view: view_pb2.View) -> move_pb2.Move:
    group = view.legal_moves[0]
    return move_pb2.Move(kind=group.kind, cards=group.cards[: group.min_cards], target=group.target)


async def flood(target: str, callers: int, *, reads: bool) -> None:
    """Call as fast as the answers come, for ever; nothing that is refused is waited for."""
    async with AsyncExitStack() as stack:
        match_id = await _long_match(target, stack) if reads else ""
        players = [await connected(target, stack) for _ in range(CONNECTIONS)]
        for player in players:
            player.metadata = players[0].metadata
        call = _read if reads else _look
        print("floods", flush=True)
        await asyncio.gather(
            *(_for_ever(call, players[number % CONNECTIONS], match_id) for number in range(callers))
        )


async def _long_match(target: str, stack: AsyncExitStack) -> str:
    """Play a match until its log is long; return its id."""
    players, match_id = await seated(target, stack)
    sequence = 0
    while sequence < LONG_LOG:
        await asyncio.sleep(PAUSE_SECONDS)
        mover, request = await _next_move(players, match_id)
        answer = await players[mover].play.MakeMove(request, metadata=players[mover].metadata)
        sequence = answer.sequence
    return match_id


async def _for_ever(call: Call, player: Player, match_id: str) -> None:
    while True:
        with suppress(aio.AioRpcError):
            await call(player, match_id)


async def _look(player: Player, _: str) -> None:
    request = play_service_pb2.GetViewRequest(match_id="nothing")
    await player.play.GetView(request, metadata=player.metadata)


async def _read(player: Player, match_id: str) -> None:
    request = replay_service_pb2.GetReplayRequest(match_id=match_id)
    await player.replay.GetReplay(request, metadata=player.metadata)


@contextmanager
def flooded(target: str, callers: int, *, reads: bool) -> Iterator[None]:
    """Have a flooder in a process of his own until the end of the block."""
    command = [sys.executable, "-m", "bench.flood", "--target", target, "--callers", str(callers)]
    command += ["--reads"] if reads else []
    flooder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert flooder.stdout
        flooder.stdout.readline()
        yield
    finally:
        flooder.kill()
        flooder.wait()


async def spell(server: Server, moves: int) -> Times:
    """Let all tables play for a while."""
    played = await asyncio.gather(*(play_table(server.target, moves) for _ in range(TABLES)))
    return Times(
        [seconds for times in played for seconds in times.answered],
        [seconds for times in played for seconds in times.told],
    )


def main(moves: int, callers: int, hold_seconds: float, *, reads: bool) -> None:
    """Print the times of calm and flooded spells, and their ratios."""
    calm, rough = Times(), Times()
    with tempfile.TemporaryDirectory() as data:
        serve = ["-m", "durak_server", "serve", "--data", data]
        serve += ["--listen", "127.0.0.1:0", "--metrics-listen", ""]
        with running(*serve, settings={"DURAK_REFUSAL_HOLD_SECONDS": str(hold_seconds)}) as server:
            for _ in range(SPELLS):
                _add(calm, asyncio.run(spell(server, moves)))
                with flooded(server.target, callers, reads=reads):
                    _add(rough, asyncio.run(spell(server, moves)))
    _print("answered", calm.answered, rough.answered)
    _print("told", calm.told, rough.told)


def _add(to: Times, times: Times) -> None:
    to.answered += times.answered
    to.told += times.told


def _print(what: str, calm: list[float], rough: list[float]) -> None:
    for name, of in (("median", median), ("95th percentile", _high)):
        quiet, loud = of(calm) * 1000, of(rough) * 1000
        figures = f"calm {quiet:7.2f} ms  flooded {loud:7.2f} ms  ratio {loud / quiet:5.2f}"
        print(f"{what:>8}, {name:<15} {figures}")


def _high(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60, help="of a table in a spell")
    parser.add_argument("--callers", type=int, default=64, help="of the flooder, at once")
    parser.add_argument("--hold", type=float, default=1, help="seconds for which refusals are held")
    parser.add_argument("--reads", action="store_true", help="flood by reading a long log")
    parser.add_argument("--target", help="flood this server, for ever")
    chosen = parser.parse_args()
    if chosen.target:
        asyncio.run(flood(chosen.target, chosen.callers, reads=chosen.reads))
    else:
        main(chosen.moves, chosen.callers, chosen.hold, reads=chosen.reads)
