"""What a move costs beside a bare grpc.aio server of the same shape: `make bench-service`.

In both, two players each have an event stream, and a move is a unary call that reaches both; in a
third run each player has one stream of Play for moves and events. The figures are the server
process's CPU; only their ratio can be compared between machines.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TypeAlias

from grpc import aio

from bench.serving import UNLIMITED, Server, running
from durak_client import Client, Match, MatchStatus, RuleRefused
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceStub

TABLES = 16
Table: TypeAlias = Callable[[str, int, int], Awaitable[int]]


async def call_table(target: str, number: int, moves: int) -> int:
    """Play whole matches of two until so many moves were made; return how many."""
    async with AsyncExitStack() as stack:
        seats = [await _seat(target, stack) for _ in range(2)]
        return await _play(seats, [seat.match for seat in seats], number, moves)


async def stream_table(target: str, number: int, moves: int) -> int:
    """Do the same with everything but the seating over one stream a seat."""
    async with AsyncExitStack() as stack:
        seats = [await _seat(target, stack) for _ in range(2)]
        streams = [await stack.enter_async_context(seat.stream()) for seat in seats]
        return await _play(seats, [stream.match for stream in streams], number, moves)


async def _seat(target: str, stack: AsyncExitStack) -> Client:
    return await stack.enter_async_context(await Client.connect(target, name="A"))


async def _play(
    seats: Sequence[Client], handles: Sequence[Callable[[str], Match]], number: int, moves: int
) -> int:
    made = 0
    while made < moves:
        match = await seats[0].create_match("podkidnoy", seats=2, start_when_full=True)
        await seats[1].join(match.match_id)
        made += sum(
            await asyncio.gather(
                *(
                    _play_seat(handle(match.match_id), Random(number + index))
                    for index, handle in enumerate(handles)
                )
            )
        )
    return made


async def _play_seat(match: Match, dice: Random) -> int:
    """Play a seat to the end with random moves; return how many."""
    made = 0
    async with aclosing(match.follow()) as updates:
        async for update in updates:
            view = update.view
            if view and view.legal_moves and view.status is MatchStatus.PLAYING:
                move = dice.choice([group.lowest(view.trump) for group in view.legal_moves])
                with suppress(RuleRefused):  # the other was faster
                    await match.move(move)
                    made += 1
    return made


async def bare_table(target: str, number: int, moves: int) -> int:
    """Make so many moves at a table of the bare server, each waited for by both players."""
    match_id = f"table-{number}"
    async with aio.insecure_channel(target) as one, aio.insecure_channel(target) as other:
        stubs = [PlayServiceStub(one), PlayServiceStub(other)]
        request = pb.StreamEventsRequest(match_id=match_id)
        streams = [stub.StreamEvents(request) for stub in stubs]
        for stream in streams:
            await stream.read()
        for made in range(moves):
            move = pb.MakeMoveRequest(match_id=match_id, expected_sequence=made)
            await stubs[made % 2].MakeMove(move)
            for stream in streams:
                await stream.read()
        for stream in streams:
            stream.cancel()
    return moves


async def _played(server: Server, table: Table, moves: int) -> tuple[float, float]:
    """Return the moves a second of all tables, and the milliseconds of CPU of each."""
    begun, used = perf_counter(), server.cpu_seconds()
    made = sum(
        await asyncio.gather(*(table(server.target, number, moves) for number in range(TABLES)))
    )
    return made / (perf_counter() - begun), (server.cpu_seconds() - used) * 1000 / made


def measured(name: str, table: Table, moves: int, *command: str) -> float:
    """Print a line for a server and return what a move costs there."""
    with running(*command, settings=UNLIMITED) as server:
        rate, cost = asyncio.run(_played(server, table, moves))
    print(f"{name:<14}{rate:7.0f} moves/s  {cost:6.3f} ms of CPU a move")
    return cost


def main() -> None:
    """Print a line for each server, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=300, help="at each of 16 tables")
    moves: int = parser.parse_args().moves
    bare = measured("bare", bare_table, moves, str(Path(__file__).with_name("bare_server.py")))
    for name, table in (("calls", call_table), ("one stream", stream_table)):
        with tempfile.TemporaryDirectory() as data:
            serve = ["-m", "durak_server", "serve", "--data", data]
            serve += ["--listen", "127.0.0.1:0", "--metrics-listen", ""]
            cost = measured(name, table, moves, *serve)
        print(f"{'':<14}{cost / bare:7.2f} times as much as bare")


if __name__ == "__main__":
    main()
