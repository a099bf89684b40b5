"""Plays 20,000 matches in one process and prints what it holds meanwhile: `make soak`."""

import argparse
import asyncio
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.soak.lifetimes import readings

_HEADINGS = ("matches", "seconds", "MiB", "objects", "tasks", "files", "live", "bytes a match")


async def soak(matches: int, steps: int) -> None:
    """Play `matches` in so many equal steps, each with a line of its own."""
    print(*(f"{heading:>13}" for heading in _HEADINGS))
    begun = perf_counter()
    with TemporaryDirectory() as folder:
        async with aclosing(readings(Path(folder), steps, matches // steps)) as steps_played:
            async for read in steps_played:
                figures = (
                    f"{read.matches:,}",
                    f"{perf_counter() - begun:,.0f}",
                    f"{read.memory_kib / 1024:.1f}",
                    f"{read.objects:,}",
                    read.tasks,
                    read.descriptors,
                    read.live,
                    f"{read.stored_bytes / read.matches:,.0f}",
                )
                print(*(f"{figure:>13}" for figure in figures), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=20)
    chosen = parser.parse_args()
    asyncio.run(soak(chosen.matches, chosen.steps))
