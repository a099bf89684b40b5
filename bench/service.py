"""What a move costs beside a bare grpc.aio server of the same shape: `make bench-service`.

In both, two players each have an event stream, and a move is a unary call that reaches both. The
figures are the server process's CPU; only their ratio can be compared between machines.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, aclosing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from grpc import aio

from durak_client import Client, MatchStatus, RuleRefused
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceStub

TABLES = 16
SETTINGS = {"DURAK_DRAIN_SETTLE_SECONDS": "0", "DURAK_LOG_LEVEL": "error"}
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A process that serves."""

    process: int
    target: str

    def cpu_seconds(self) -> float:
        """Return the CPU that it has used."""
        stat = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / _TICKS


@contextmanager
def running(*command: str) -> Iterator[Server]:
    """Run a Python command that serves, to the end of the block."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=os.environ | SETTINGS
    )
    try:
        assert process.stdout
        for line in process.stdout:
            if found := re.search(r"serves on (127\.0\.0\.1:\d+)", line):
                yield Server(process.pid, found[1])
                return
        raise SystemExit("the server did not start")
    finally:
        process.terminate()
        process.wait()


async def play_table(target: str, number: int, moves: int) -> int:
    """Play whole matches of two until so many moves were made; return how many."""
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(await Client.connect(target, name=name))
            for name in ("A", "B")
        ]
        made = 0
        while made < moves:
            match = await first.create_match("podkidnoy", seats=2, start_when_full=True)
            await second.join(match.match_id)
            counts = await asyncio.gather(
                play_seat(first, match.match_id, Random(number)),
                play_seat(second, match.match_id, Random(-number)),
            )
            made += sum(counts)
    return made


async def play_seat(client: Client, match_id: str, dice: Random) -> int:
    """Play a seat to the end with random moves; return how many."""
    made = 0
    async with aclosing(client.follow(match_id)) as updates:
        async for update in updates:
            view = update.view
            if view and view.legal_moves and view.status is MatchStatus.PLAYING:
                move = dice.choice([group.lowest(view.trump) for group in view.legal_moves])
                with suppress(RuleRefused):  # the other was faster
                    await client.match(match_id).move(move)
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


async def measured(server: Server, *, is_bare: bool, moves: int) -> tuple[float, float]:
    """Return the moves a second of all tables, and the milliseconds of CPU of each."""
    table = bare_table if is_bare else play_table
    begun, used = perf_counter(), server.cpu_seconds()
    made = sum(
        await asyncio.gather(*(table(server.target, number, moves) for number in range(TABLES)))
    )
    return made / (perf_counter() - begun), (server.cpu_seconds() - used) * 1000 / made


def main() -> None:
    """Print a line for each server, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=300, help="at each of 16 tables")
    moves: int = parser.parse_args().moves
    bare = str(Path(__file__).with_name("bare_server.py"))
    with running(bare) as server:
        bare_rate, bare_cost = asyncio.run(measured(server, is_bare=True, moves=moves))
    print(f"bare    {bare_rate:7.0f} moves/s  {bare_cost:6.3f} ms of CPU a move")
    with tempfile.TemporaryDirectory() as data:
        serve = ["-m", "durak_server", "serve", "--data", data]
        serve += ["--listen", "127.0.0.1:0", "--metrics-listen", ""]
        with running(*serve) as server:
            rate, cost = asyncio.run(measured(server, is_bare=False, moves=moves))
    print(f"sqlite  {rate:7.0f} moves/s  {cost:6.3f} ms of CPU a move")
    print(f"ratio   {cost / bare_cost:7.2f}")


if __name__ == "__main__":
    main()
