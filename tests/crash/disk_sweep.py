"""Plays a short match on a disk that fails once, and judges what is left of it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.crash.failing_disk import FailingDisk
from tests.crash.history import History, faults
from tests.crash.recorded_play import Progress, play_recorded
from tests.crash.stored_logs import stored_logs
from tests.server_process import ServerEnded, ServerProcess

_MOVES = 3
"""Moves of each player before one of them leaves, so that the match is short."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a match: the calls to the disk, a letter each, and what is wrong."""

    calls: str
    faults: list[str]


async def play_on(disk: FailingDisk, folder: Path, planned: str) -> Played:
    """Play a match to its end on a disk with the `planned` faults.

    A server that ends is started again at once, on a sound disk.
    """
    data, calls = folder / "data", folder / "calls"
    data.mkdir()
    history = History()
    async with _kept_up(data, disk.environment(data, calls, planned)) as port:
        match_id = await play_recorded(port, 0, history, Progress(), repeats=2, moves=_MOVES)
    found = faults(history, await stored_logs(data, [match_id]))
    found += [f"{seen.watcher} saw no end" for seen in history.watched if not seen.finished]
    return Played(calls.read_text(encoding="ascii"), found)


def calls_to_open(disk: FailingDisk, folder: Path) -> int:
    """Return how many calls to the disk a server makes before it serves for the first time."""
    data, calls = folder / "data", folder / "calls"
    data.mkdir()
    server = ServerProcess(data, disk.environment(data, calls))
    server.kill()
    return len(calls.read_text(encoding="ascii"))


@asynccontextmanager
async def _kept_up(data: Path, environment: Mapping[str, str]) -> AsyncIterator[int]:
    """Serve until the end of the block, whatever happens to the server; its port is yielded."""
    server = await asyncio.to_thread(_started, data, environment)
    keeper = asyncio.create_task(_keep_up(server))
    try:
        yield server.port
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper
        # What it does at its end may fail as well.
        await asyncio.to_thread(server.stop)
        server.kill()


def _started(data: Path, environment: Mapping[str, str]) -> ServerProcess:
    with suppress(ServerEnded):
        return ServerProcess(data, environment)
    return ServerProcess(data)


async def _keep_up(server: ServerProcess) -> None:
    while True:
        await server.ended()
        await asyncio.to_thread(server.restart)
