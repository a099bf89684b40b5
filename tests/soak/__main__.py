"""Plays 20,000 matches in one process and judges what it holds meanwhile: `make soak`."""

import argparse
import asyncio
import sys
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.soak.lifetimes import Reading, readings
from tests.soak.verdict import faults

_HEADINGS = (
    "matches",
    "seconds",
    "MiB",
    "objects",
    "blocks",
    "tasks",
    "files",
    "live",
    "bytes a match",
)


async def soak(matches: int, steps: int) -> int:
    """Play `matches` in so many equal steps, each with a line of its own; return how many faults.

    What is a fault, `verdict` says.
    """
    taken: list[Reading] = []
    print(*(f"{heading:>13}" for heading in _HEADINGS))
    begun = perf_counter()
    with TemporaryDirectory() as folder:
        async with aclosing(readings(Path(folder), steps, matches // steps)) as steps_played:
            async for read in steps_played:
                taken.append(read)
                figures = (
                    f"{read.matches:,}",
                    f"{perf_counter() - begun:,.0f}",
                    f"{read.memory_kib / 1024:.1f}",
                    f"{read.objects:,}",
                    f"{read.blocks:,}",
                    read.tasks,
                    read.descriptors,
                    read.live,
                    f"{read.stored_bytes / read.matches:,.0f}",
                )
                print(*(f"{figure:>13}" for figure in figures), flush=True)
    found = list(faults(taken))
    print(*(found or ["what it holds is flat"]), sep="\n")
    return len(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=20)
    chosen = parser.parse_args()
    sys.exit(min(1, asyncio.run(soak(chosen.matches, chosen.steps))))
