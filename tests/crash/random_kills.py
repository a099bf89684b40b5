"""Kills a server at random moments while matches are played, and judges what is left of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.crash.history import History, faults
from tests.crash.recorded_play import Progress, play_recorded
from tests.crash.stored_logs import stored_logs
from tests.server_process import ServerProcess, served

_MOST_MOVES = 60
"""Acknowledged moves between two kills, at most."""
_MOST_DELAY_SECONDS = 0.02
_TOLD_EVERY = 25


@dataclass(frozen=True, slots=True)
class Survived:
    """What was played, and what is wrong with it."""

    kills: int
    matches: int
    acknowledged: int
    events: int
    faults: list[str]


async def kill_under_load(
    data: Path, kills: int, at_once: int, seed: int, tell: Callable[[str], None]
) -> Survived:
    """Kill a server so many times while `at_once` matches are played, then let them end."""
    history, progress = History(), Progress()
    with served(data) as server:
        killing = asyncio.create_task(_kill(server, progress, kills, Random(seed), tell))
        async with asyncio.TaskGroup() as group:
            players = [
                group.create_task(_play_until(killing, server, history, progress, number))
                for number in range(at_once)
            ]
        await killing
        assert server.stop() == 0
    match_ids = [match_id for player in players for match_id in player.result()]
    logs = await stored_logs(data, match_ids)
    found = faults(history, logs)
    found += [f"{seen.watcher} saw no end" for seen in history.watched if not seen.finished]
    events = sum(map(len, logs.values()))
    return Survived(kills, len(match_ids), len(history.answers), events, found)


async def _play_until(
    done: "asyncio.Task[None]",
    server: ServerProcess,
    history: History,
    progress: Progress,
    number: int,
) -> list[str]:
    """Play match after match, each move sent twice; return their ids."""
    match_ids = []
    while not done.done():
        match_ids.append(await play_recorded(server.port, number, history, progress, repeats=2))
    return match_ids


async def _kill(
    server: ServerProcess,
    progress: Progress,
    kills: int,
    dice: Random,
    tell: Callable[[str], None],
) -> None:
    for number in range(1, kills + 1):
        await progress.reaches(progress.moves + dice.randint(1, _MOST_MOVES))
        await asyncio.sleep(dice.uniform(0, _MOST_DELAY_SECONDS))
        await asyncio.to_thread(server.restart)
        if number % _TOLD_EVERY == 0:
            tell(f"{number} kills, {progress.moves:,} acknowledged moves")
