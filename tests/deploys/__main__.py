"""Replaces a server ten times while 1,000 matches are played: `make deploys`.

By default the players think for so long that two cores suffice for them and for the server: some
100 moves a second. With less thinking it is the machine that is judged, and turns may run out.
"""

import argparse
import asyncio
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.deploys.deploys_under_load import Deployed, Plan, deploy_under_load
from tests.deploys.thinking_players import Tables


async def deploy(plan: Plan, thinking_seconds: float, turn_seconds: int) -> Deployed:
    """Carry out a plan and print the figures."""
    tables = partial(Tables, thinking_seconds=thinking_seconds, turn_seconds=turn_seconds)
    with TemporaryDirectory() as folder:
        result = await deploy_under_load(Path(folder), plan, tables, partial(print, flush=True))
    waits = result.tables.waits
    for fault in result.failed + result.faults:
        print(fault)
    print(f"streams broke off: {dict(waits.breaks)}")
    print(
        f"{plan.deploys} deploys: {len(result.match_ids):,} matches,"
        f" {len(result.tables.history.answers):,} acknowledged moves,"
        f" longest drain {max(one.drain_seconds for one in result.deploys):.1f} s,"
        f" longest pause {waits.longest_pause_seconds:.1f} s,"
        f" longest answer {waits.longest_answer_seconds:.1f} s,"
        f" {len(result.failed)} calls failed for good, {len(result.faults)} faults"
    )
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deploys", type=int, default=10)
    parser.add_argument("--matches", type=int, default=1_000, help="played at a time")
    parser.add_argument("--moves", type=int, default=3_000, help="between two deploys")
    parser.add_argument("--thinking", type=float, default=20.0, help="seconds, at most")
    parser.add_argument("--turn", type=int, default=60, help="seconds that a player has")
    chosen = parser.parse_args()
    planned = Plan(chosen.deploys, chosen.matches, chosen.moves)
    deployed = asyncio.run(deploy(planned, chosen.thinking, chosen.turn))
    sys.exit(bool(deployed.failed or deployed.faults))
