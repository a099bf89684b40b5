import io
import logging
from collections.abc import AsyncIterator, Iterator

import pytest
import structlog

from durak_server.app import DurakServer
from durak_server.observe.logs import set_up_logging
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


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything logged, from debug upwards, as JSON."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    set_up_logging("debug", as_json=True, stream=stream)
    yield stream
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()
