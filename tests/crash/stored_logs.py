"""The logs that a server has left on the disk."""

from collections.abc import Iterable
from pathlib import Path

from durak_server.store import SqliteStore
from tests.crash.history import Logged


async def stored_logs(data: Path, match_ids: Iterable[str]) -> dict[str, list[Logged]]:
    """Read the logs from the file of a server that has ended."""
    store = await SqliteStore.open(data / "durak.sqlite")
    logs = {}
    for match_id in match_ids:
        logs[match_id] = [
            Logged(record.sequence, type(record.event).__name__, record.request_id)
            for record in await store.read(match_id)
        ]
    await store.close()
    return logs
