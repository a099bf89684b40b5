from collections.abc import AsyncIterator, Iterator

import pytest

from durak_server.app import DurakServer
from tests.api.identity_provider import OLD, IdentityProvider
from tests.fake_time import FakeTime
from tests.live_server import server_at


@pytest.fixture
def time() -> FakeTime:
    """The time by which the server goes, and the provider's tokens."""
    return FakeTime()


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    """A provider that shows one key at first."""
    with IdentityProvider(OLD).serving() as provider:
        yield provider


@pytest.fixture
async def server(time: FakeTime, provider: IdentityProvider) -> AsyncIterator[DurakServer]:
    """A server that trusts it."""
    async with server_at(time.keeper, **provider.settings) as server:
        yield server
