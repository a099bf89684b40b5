from collections.abc import AsyncIterator

import pytest

from durak_server.app import DurakServer
from tests.live_server import Calls, connected, running_server


@pytest.fixture
async def server() -> AsyncIterator[DurakServer]:
    """A server that keeps nothing."""
    async with running_server() as server:
        yield server


@pytest.fixture
async def calls(server: DurakServer) -> AsyncIterator[Calls]:
    """A connection to the server."""
    async with connected(server) as calls:
        yield calls
