"""Opens and cancels 20,000 streams, then lets one idle with pings: `make streams`."""

import argparse
import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from grpc import aio

from tests.live_server import Calls
from tests.server_process import ServerProcess
from tests.streams.openings import connection, memory_kib, opener, streaming_server

_HEADINGS = ("streams", "seconds", "MiB")
_ALLOWED = {"keepalive_time_ms": 10_000}
_TOO_FAST = {"keepalive_time_ms": 1_000}
_WITHOUT_DATA = {"http2__max_pings_without_data": 0, "keepalive_permit_without_calls": 1}


async def open_and_cancel(server: ServerProcess, streams: int, steps: int) -> None:
    """Open so many in equal steps, and print what the server holds after each."""
    print(*(f"{heading:>10}" for heading in _HEADINGS))
    async with connection(server) as calls:
        opening, begun = await opener(calls), perf_counter()
        for step in range(1, steps + 1):
            await opening.open_and_cancel(streams // steps)
            held = f"{memory_kib(server) / 1024:.1f}"
            figures = (f"{streams // steps * step:,}", f"{perf_counter() - begun:.0f}", held)
            print(*(f"{figure:>10}" for figure in figures), flush=True)


async def idle(server: ServerProcess, seconds: float, **pings: int) -> str:
    """Follow a match in which nothing happens, with pings; return how that went."""
    async with connection(server, **pings, **_WITHOUT_DATA) as calls:
        try:
            async with asyncio.timeout(seconds):
                return await _how_it_ends(calls)
        except TimeoutError:
            return f"alive after {seconds:g} s"


async def _how_it_ends(calls: Calls) -> str:
    opening = await opener(calls)
    try:
        await opening.guest.followed(opening.match_id)
    except aio.AioRpcError as error:
        return f"ended: {error.details()}"
    return "ended"


async def main(streams: int, steps: int, seconds: float) -> None:
    """Do all of it."""
    with TemporaryDirectory() as folder:
        with streaming_server(Path(folder)) as server:
            await open_and_cancel(server, streams, steps)
        # As silent as a stream can be, so that no data makes up for the pings.
        with streaming_server(Path(folder), DURAK_HEARTBEAT_SECONDS="15") as server:
            allowed, too_fast = await asyncio.gather(
                idle(server, seconds, **_ALLOWED), idle(server, seconds, **_TOO_FAST)
            )
    print(f"idle, a ping every 10 s: {allowed}")
    print(f"idle, a ping every second: {too_fast}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=75)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.streams, chosen.steps, chosen.seconds))
