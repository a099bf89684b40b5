"""The stores under test; the contract holds for each."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from durak_server.store import EventStore, MemoryStore, SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EventStore]:
    opened: EventStore
    if request.param == "memory":
        opened = MemoryStore()
    else:
        opened = await SqliteStore.open(tmp_path / "durak.db")
    yield opened
    await opened.close()
