"""Replaces a server again and again while matches are played, and judges what that did to them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from durak_client import DurakError
from durak_server.store import SqliteStore
from tests.crash.history import faults
from tests.crash.stored_logs import stored_logs
from tests.deploys.clock_history import Outage, clock_faults
from tests.deploys.thinking_players import Tables
from tests.deploys.witness import IN_ORDER, witness
from tests.server_process import ServerProcess

SETTINGS = {"DURAK_DRAIN_SETTLE_SECONDS": "1"}


@dataclass(frozen=True, slots=True)
class Deploy:
    """One server that was replaced by the next."""

    outage: Outage
    streams: int
    """Open when it was told to stop."""
    drain_seconds: float
    """From the signal to the end of its process."""


@dataclass(slots=True)
class Deployed:
    """What was played, what came in between, and what is wrong with it."""

    tables: Tables
    deploys: list[Deploy] = field(default_factory=list)
    match_ids: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """Calls that failed for good."""
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """How often a server is replaced while how many matches are played, and by which settings."""

    deploys: int
    matches: int
    moves_between: int
    """Acknowledged moves between two deploys."""
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def streams(self) -> int:
        """Streams open at each deploy, at least: nine tenths, for some matches are just begun."""
        return 2 * self.matches * 9 // 10


async def deploy_under_load(
    data: Path, plan: Plan, tables: Callable[[int], Tables], tell: Callable[[str], None]
) -> Deployed:
    """Carry out a plan, then close the tables, which are made with the server's port."""
    server = ServerProcess(data, settings={**SETTINGS, **plan.settings})
    result = Deployed(tables(server.port))
    try:
        async with asyncio.TaskGroup() as group:
            # In the group: the players would wait for ever for a server that never came.
            deploying = group.create_task(_deploy_all(server, plan, result, tell))
            for number in range(plan.matches):
                group.create_task(_play_until(deploying, result, number))
        assert server.stop() == 0
    finally:
        server.kill()
    await _judge(data, result)
    return result


async def _play_until(done: "asyncio.Task[None]", result: Deployed, number: int) -> None:
    while not done.done():
        try:
            result.match_ids.append(await result.tables.play(number))
        except* DurakError as errors:
            result.failed += map(repr, errors.exceptions)


async def _deploy_all(
    server: ServerProcess, plan: Plan, result: Deployed, tell: Callable[[str], None]
) -> None:
    progress, waits = result.tables.progress, result.tables.waits
    for number in range(1, plan.deploys + 1):
        await progress.reaches(progress.moves + plan.moves_between)
        await waits.open(plan.streams)
        deploy = await _deploy(server, result)
        result.deploys.append(deploy)
        gap = deploy.outage.over - deploy.outage.begun
        tell(
            f"deploy {number} with {deploy.streams:,} streams: drained in"
            f" {deploy.drain_seconds:.1f} s, none for {gap.total_seconds():.1f} s. Until it,"
            f" {progress.moves:,} moves, longest pause {waits.longest_pause_seconds:.1f} s,"
            f" longest answer {waits.longest_answer_seconds:.1f} s"
        )
    result.tables.close.set()


async def _deploy(server: ServerProcess, result: Deployed) -> Deploy:
    async with witness(server.target) as seen:
        streams, begun = result.tables.waits.streams, perf_counter()
        exit_code = await asyncio.to_thread(server.stop)
        drained, ended = perf_counter() - begun, datetime.now(UTC)
    if exit_code:
        result.faults.append(f"a server that drained ended with {exit_code}")
    if tuple(seen) != IN_ORDER:
        result.faults.append(f"a server that drained showed {seen}")
    await asyncio.to_thread(server.start)
    return Deploy(Outage(ended, datetime.now(UTC)), streams, drained)


async def _judge(data: Path, result: Deployed) -> None:
    history = result.tables.history
    result.faults += faults(history, await stored_logs(data, result.match_ids))
    result.faults += [f"{seen.watcher} saw no end" for seen in history.watched if not seen.finished]
    outages = [deploy.outage for deploy in result.deploys]
    store = await SqliteStore.open(data / "durak.sqlite")
    for match_id in result.match_ids:
        log, returns = await store.read(match_id), result.tables.waits.returns_to(match_id)
        result.faults += (f"{match_id}: {fault}" for fault in clock_faults(log, outages, returns))
    await store.close()
