"""A server replaced in the middle of many matches costs nobody a move, a call or his time.

`make deploys` does the same with 1,000 matches.
"""

from functools import partial
from pathlib import Path

import pytest

from tests.deploys.deploys_under_load import Plan, deploy_under_load
from tests.deploys.thinking_players import Tables

PLAN = Plan(
    deploys=3,
    matches=40,
    moves_between=60,
    # The machine may be busy: how long players take to come back is not judged here.
    settings={"DURAK_RETURN_ALLOWANCE_SECONDS": "60", "DURAK_DRAIN_SETTLE_SECONDS": "1"},
)
TOLD = "UNAVAILABLE SHUTTING_DOWN, come again"
# gRPC's own word on the client's side, which hides what the server said: now and then, on a
# stream that a move was just being written to.
WRITE_MET_THE_END = "INTERNAL , no hint"
TABLES = partial(Tables, thinking_seconds=0, turn_seconds=120)


@pytest.mark.timeout(300)  # some seconds, but on a busy machine they are many
async def test_matches_go_through_deploys_as_if_nothing_had_happened(tmp_path: Path) -> None:
    deployed = await deploy_under_load(tmp_path, PLAN, TABLES, lambda _: None)

    assert (deployed.failed, deployed.faults) == ([], [])
    breaks = deployed.tables.waits.breaks
    assert set(breaks) <= {TOLD, WRITE_MET_THE_END}
    assert breaks[TOLD] > 0.9 * breaks.total()
    assert len(deployed.deploys) == PLAN.deploys
