"""The SQLite store: its file, its queue, and what it does in trouble."""

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from durak_server.matches import MatchStatus
from durak_server.rules import Preset
from durak_server.store import (
    Flush,
    OutcomeUnknown,
    SqliteStore,
    StoreBusy,
    StoreUnavailable,
)
from durak_server.store.sqlite_file import StoreFile
from tests.store.logs import Log, log

NOBODY = 65_534
PLAYED = log("played", status=MatchStatus.FINISHED)


def ignore(_: Flush) -> None:
    """Do nothing with a flush."""


async def test_a_store_opened_again_holds_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "durak.db"
    store = await SqliteStore.open(path)
    await PLAYED.keep_by_steps(store, step=7)
    counts = await store.counts()
    await store.close()
    again = await SqliteStore.open(path)
    assert await again.read("played") == list(PLAYED.records)
    assert await again.counts() == counts
    await again.close()


async def test_what_waits_together_is_stored_in_one_transaction(tmp_path: Path) -> None:
    flushes: list[Flush] = []
    store = await SqliteStore.open(tmp_path / "durak.db", on_flush=flushes.append)
    logs = [log(f"m{number}", made=number) for number in range(50)]
    with writer_held_up(tmp_path / "durak.db"):
        first = asyncio.create_task(logs[0].keep(store))
        await until_taken(store)
        others = [asyncio.create_task(one.keep(store)) for one in logs[1:]]
        await asyncio.sleep(0)  # they are queued
        assert store.queue_depth == 49
    await asyncio.gather(first, *others)
    await store.close()
    assert [(flush.appends, flush.records) for flush in flushes] == [(1, 3), (49, 147)]
    assert all(flush.seconds > 0 for flush in flushes)


async def test_a_full_queue_refuses_and_forgets_nothing_that_it_took(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path, queue_size=2)
    logs = [log(f"m{number}", made=number) for number in range(4)]
    with writer_held_up(path):
        taken = [asyncio.create_task(logs[0].keep(store))]
        await until_taken(store)
        taken += [asyncio.create_task(one.keep(store)) for one in logs[1:3]]
        await asyncio.sleep(0)  # they are queued
        with pytest.raises(StoreBusy):
            await logs[3].keep(store)
    await asyncio.gather(*taken)
    assert [len(await store.read(one.match_id)) for one in logs] == [3, 3, 3, 0]
    await logs[3].keep(store)
    await store.close()


async def test_closing_stores_what_was_accepted(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    logs = [log(f"m{number}", made=number) for number in range(30)]
    waiting = [asyncio.create_task(one.keep(store)) for one in logs]
    await asyncio.sleep(0)  # they are queued
    await store.close()
    await asyncio.gather(*waiting)
    again = await SqliteStore.open(path)
    assert sum(dict(await again.counts()).values()) == 30
    await again.close()


async def test_a_cancelled_append_is_carried_out_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    with writer_held_up(path):
        cancelled = asyncio.create_task(log("cancelled").keep(store))
        await until_taken(store)
        cancelled.cancel()
        other = asyncio.create_task(log("other").keep(store))
        await asyncio.sleep(0)  # it is queued
    await other
    assert cancelled.cancelled()
    assert [len(await store.read(name)) for name in ("cancelled", "other")] == [3, 3]
    await store.close()


@contextmanager
def writer_held_up(path: Path) -> Iterator[None]:
    """Hold the file's write lock, so that the store's writer waits."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


async def until_taken(store: SqliteStore) -> None:
    """Wait until the writer has taken what is queued, and is held up with it."""
    for _ in range(1_000_000):
        await asyncio.sleep(0)
        if not store.queue_depth:
            return
    raise AssertionError("the writer takes nothing")


async def test_a_full_disk_refuses_and_loses_nothing_and_with_room_all_goes_on(
    tmp_path: Path,
) -> None:
    file = StoreFile(tmp_path / "durak.db")
    file.writer.execute("PRAGMA max_page_count = 80")
    store = SqliteStore(file, 100, ignore)
    kept: list[Log] = []
    with pytest.raises(StoreUnavailable, match="full"):
        await fill(store, kept)
    assert len(kept) > 3
    refused = log(f"m{len(kept)}", made=len(kept), status=MatchStatus.FINISHED)
    with pytest.raises(StoreUnavailable, match="full"):
        await refused.keep(store)
    assert await store.read(refused.match_id) == []
    assert [await store.read(one.match_id) for one in kept] == [list(one.records) for one in kept]
    file.writer.execute("PRAGMA max_page_count = 8000")
    await refused.keep(store)
    assert await store.read(refused.match_id) == list(refused.records)
    await store.close()


async def test_a_failed_commit_is_an_unknown_outcome_and_the_store_recovers(
    tmp_path: Path,
) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    kept: list[Log] = []
    with files_no_larger_than(200_000), pytest.raises(OutcomeUnknown):
        await fill(store, kept)
    unknown = log(f"m{len(kept)}", made=len(kept), status=MatchStatus.FINISHED)
    assert await store.read(unknown.match_id) in ([], list(unknown.records))
    await log("later").keep(store)
    await store.close()
    again = await SqliteStore.open(path)
    assert [await again.read(one.match_id) for one in kept] == [list(one.records) for one in kept]
    assert len(await again.read("later")) == 3
    await again.close()


async def fill(store: SqliteStore, kept: list[Log]) -> None:
    """Store matches and note them until one is refused."""
    for number in range(10_000):
        one = log(f"m{number}", made=number, status=MatchStatus.FINISHED)
        await one.keep(store)
        kept.append(one)


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Let this process write no byte of a file beyond `size`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_an_append_that_fails_within_the_file_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    await PLAYED.keep(store, 0, 3)
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO records VALUES ('played', 4, x'')")  # behind the log's end
    connection.commit()
    connection.close()
    with pytest.raises(StoreUnavailable):
        await PLAYED.keep(store, 3)
    await log("other").keep(store)
    assert len(await store.read("other")) == 3
    assert await store.counts() == {
        (MatchStatus.OPEN, Preset.PODKIDNOY): 2,
    }
    await store.close()
