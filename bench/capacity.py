"""Measure one server: memory a match and a stream, bytes a match and a move, moves a second.

The server is a process of its own with an sqlite store on a disk; the players share this process,
which has its own core if there are two. Run it on a machine that does nothing else:

    .venv/bin/python bench/capacity.py
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from durak_client import Client, LegalMove, Match, View, play

PLAYED_MATCHES = 200
TABLES_AT_ONCE = 32
HELD_MATCHES = 2_000
STREAMS = 1_000

SETTINGS = {
    "DURAK_BOT_DELAY_MIN_SECONDS": "0",
    "DURAK_BOT_DELAY_MAX_SECONDS": "0",
    "DURAK_GUESTS_PER_SECOND": "1000",
    "DURAK_MATCHES_MADE_PER_SECOND": "1000000",
    "DURAK_CALLS_PER_SECOND": "1000000",
    "DURAK_ADDRESS_CALLS_PER_SECOND": "1000000",
    "DURAK_MATCHES_PER_PLAYER": "100000",
    "DURAK_STREAMS_PER_PLAYER": "100000",
    "DURAK_MATCH_IDLE_SECONDS": "3600",
    "DURAK_LOG_LEVEL": "error",
}


@dataclass(frozen=True)
class Server:
    """A server that serves: its addresses."""

    target: str
    metrics: str

    def sample(self) -> Mapping[str, float]:
        """Return all metrics, summed over their labels."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics") as page:
            text = page.read().decode()
        sums: dict[str, float] = {}
        for name, value in re.findall(r"^(\w+)(?:\{.*\})? (\S+)$", text, re.MULTILINE):
            sums[name] = sums.get(name, 0) + float(value)
        return sums


@contextmanager
def served(data: Path) -> Iterator[Server]:
    """Serve until the end of the block."""
    command = [sys.executable, "-m", "durak_server", "serve", "--data", str(data)]
    command += ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, env={**os.environ, **SETTINGS}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    greeting = process.stdout.readline() + process.stdout.readline()
    target, metrics = re.findall(r"127\.0\.0\.1:\d+", greeting)
    try:
        yield Server(target, metrics)
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    """Measure, each thing on a server of its own, and print a line for each figure."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        played, held = Path(folder, "played"), Path(folder, "held")
        with served(played) as server:
            matches, moves = asyncio.run(measure_play(server))
        # Only now: while it serves, the write-ahead log comes on top, up to a few megabytes.
        size = (played / "durak.sqlite").stat().st_size
        print(f"bytes of data a match: {size / matches:.0f}, a move: {size / moves:.0f}")
        with served(held) as server:
            asyncio.run(measure_memory(server))


async def measure_play(server: Server) -> tuple[int, float]:
    """Play whole matches of two people, some at a time; return how many, and the moves made."""
    before, began = server.sample(), time.perf_counter()
    each = PLAYED_MATCHES // TABLES_AT_ONCE
    await asyncio.gather(*(play_matches(server, each) for _ in range(TABLES_AT_ONCE)))
    seconds, after = time.perf_counter() - began, server.sample()
    moves = after["durak_moves_accepted_total"]
    matches = each * TABLES_AT_ONCE
    cpu = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
    print(f"matches of two played, {TABLES_AT_ONCE} at a time: {matches}")
    print(f"moves a second: {moves / seconds:.0f} ({cpu / moves * 1e6:.0f} us of server CPU each)")
    print(f"moves a match: {moves / matches:.0f}")
    return matches, moves


async def play_matches(server: Server, number: int) -> None:
    """Let two people play matches, one after the other."""
    async with (
        await Client.connect(server.target, name="Vasya") as first,
        await Client.connect(server.target, name="Petya") as second,
    ):
        for _ in range(number):
            match = await first.create_match("podkidnoy", seats=2, start_when_full=True)
            await second.join(match.match_id)
            seats = (play(each, match.match_id, first_choice) for each in (first, second))
            await asyncio.gather(*seats)


def first_choice(view: View) -> LegalMove:
    """Return the first of the legal moves."""
    return view.legal_moves[0]


async def measure_memory(server: Server) -> None:
    """Hold matches that are being played, then follow some of them."""
    async with (
        await Client.connect(server.target, name="Vasya") as first,
        await Client.connect(server.target, name="Petya") as second,
    ):
        await first.create_match("podkidnoy")
        empty = server.sample()["process_resident_memory_bytes"]
        matches = []
        for _ in range(HELD_MATCHES):
            match = await first.create_match("podkidnoy", seats=2, start_when_full=True)
            await second.join(match.match_id)
            matches.append(match)
        held = server.sample()["process_resident_memory_bytes"]
        followed = await memory_when_followed(server, matches[:STREAMS])
    print(f"memory of an idle server: {empty / 2**20:.0f} MiB")
    print(f"memory a match just begun: {(held - empty) / HELD_MATCHES / 1024:.1f} KiB")
    print(f"memory a stream: {(followed - held) / STREAMS / 1024:.1f} KiB")


async def memory_when_followed(server: Server, matches: Sequence[Match]) -> float:
    """Follow matches, one stream each, and return the server's memory meanwhile."""
    async with AsyncExitStack() as streams:
        for match in matches:
            updates = await streams.enter_async_context(aclosing(match.follow()))
            await anext(updates)
        return server.sample()["process_resident_memory_bytes"]


if __name__ == "__main__":
    main()
