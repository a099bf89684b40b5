"""Who lists many matches waits longer until his next call: a page of them counts as several."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from durak_server.api.callers import Scope
from durak_server.store import SqliteStore
from tests.api.operators import kept_in, token_with
from tests.live_server import Guest, connected, failure_of, running_server
from tests.store.logs import log
from tests.store.rows import keep_rows, rows_of

OPEN = 250
"""Open matches, at all of which Ann sits."""
TOKEN = token_with(Scope.WATCH, subject="ann")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of open matches."""
    folder = tmp_path_factory.mktemp("full")
    asyncio.run(_fill(folder))
    return folder


async def _fill(folder: Path) -> None:
    store = await SqliteStore.open(folder / "durak.sqlite")
    await keep_rows(store, rows_of([log("open", players=["ann"]).summary], OPEN, datetime.now(UTC)))
    await store.close()


async def the_public_ones(guest: Guest) -> int:
    return len((await guest.matches(page_size=100)).matches)


async def his_own(guest: Guest) -> int:
    return len((await guest.my_matches(page_size=100)).matches)


async def as_a_watcher(guest: Guest) -> int:
    told = 0
    async with aclosing(guest.watch_lobby()) as stream:
        async for news in stream:
            told += len(news.added)
            if news.is_complete:
                return told
    raise AssertionError("the list is not completed")


async def in_vain(guest: Guest) -> int:
    return len((await guest.matches(filter={"rules": {"seats": 6}})).matches)


async def a_few(guest: Guest) -> int:
    return len((await guest.matches(page_size=19)).matches)


LISTS = [
    # list, matches told, how many calls it is
    (the_public_ones, 100, 1 + 5),
    (his_own, 100, 1 + 5),
    (as_a_watcher, 250, 1 + 5 + 5 + 2),
    (in_vain, 0, 1 + 1),
    (a_few, 19, 1),
]


@pytest.mark.parametrize("limit", ["calls_per_second", "address_calls_per_second"])
@pytest.mark.parametrize(("list_", "told", "calls"), LISTS)
async def test_each_twenty_matches_of_a_list_count_as_one_more_call(
    full: Path, list_: Callable[[Guest], Awaitable[int]], told: int, calls: int, limit: str
) -> None:
    rate = {limit: 0.01}  # one at once
    async with running_server(**kept_in(full), **rate) as server, connected(server) as stubs:
        ann = Guest(stubs, "Ann", "ann", TOKEN)
        assert await list_(ann) == told

        failure = await failure_of(ann.my_matches())

    assert failure.metadata == {"limit": limit}
    assert failure.retry_seconds == pytest.approx(calls * 100, abs=5)
