"""Breaks servers in every way there is, for as long as it takes: `make chaos`."""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.crash.disk_sweep import play_on
from tests.crash.failing_disk import ERRORS, FATAL, FailingDisk
from tests.crash.random_kills import kill_under_load


async def kills(number: int, at_once: int, seed: int) -> int:
    """Kill a server so many times while matches are played; return how many faults there are."""
    with TemporaryDirectory() as folder:
        result = await kill_under_load(Path(folder), number, at_once, seed, print)
    for fault in result.faults:
        print(fault)
    print(
        f"{result.kills} kills: {result.matches} matches, {result.acknowledged:,} acknowledged"
        f" moves, {result.events:,} events, {len(result.faults)} faults"
    )
    return len(result.faults)


async def sweep(every: int, at_once: int) -> int:
    """Let the disk fail at each call, in each way; return how many faults there are."""
    with TemporaryDirectory() as folder:
        disk = FailingDisk.built(Path(folder))
        sound = await play_on(disk, Path(folder), "")
        plans = [
            f"{kind}@{call}"
            for call in range(1, len(sound.calls) + 1, every)
            for kind in (*FATAL, *ERRORS)
        ]
        print(f"a short match makes {len(sound.calls)} calls to the disk: {len(plans)} plans")
        found = sound.faults + await _played(disk, plans, at_once)
    print(f"{len(plans)} plans, {len(found)} faults")
    return len(found)


async def _played(disk: FailingDisk, plans: list[str], at_once: int) -> list[str]:
    found: list[str] = []
    waiting = iter(enumerate(plans, 1))
    begun = perf_counter()

    async def play_each() -> None:
        for number, plan in waiting:
            with TemporaryDirectory() as folder:
                played = await play_on(disk, Path(folder), plan)
            for fault in played.faults:
                found.append(f"{plan}: {fault}")
                print(found[-1], flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(plans)}, {perf_counter() - begun:.0f} s", flush=True)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(play_each())
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--matches", type=int, default=50, help="played at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="fail at every n-th call only")
    parser.add_argument("--at-once", type=int, default=4, help="servers on failing disks")
    chosen = parser.parse_args()
    faults = asyncio.run(kills(chosen.kills, chosen.matches, chosen.seed)) if chosen.kills else 0
    faults += asyncio.run(sweep(chosen.every, chosen.at_once)) if chosen.every else 0
    sys.exit(faults > 0)
