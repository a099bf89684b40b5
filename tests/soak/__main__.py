"""Plays 20,000 matches in one process and judges what it holds meanwhile: `make soak`."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.soak.lifetimes import Reading, readings
from tests.soak.verdict import LEAST_READINGS, faults

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


def chosen(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return how many `matches` in how many `steps` to play; exit if that could not be judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=20)
    read = parser.parse_args(arguments)
    if read.steps < LEAST_READINGS:
        parser.error(f"--steps: {read.steps} are too few to compare, at least {LEAST_READINGS}")
    if read.matches < read.steps:
        parser.error(f"--matches: {read.matches} do not make {read.steps} steps")
    return read


if __name__ == "__main__":
    run = chosen()
    sys.exit(min(1, asyncio.run(soak(run.matches, run.steps))))
