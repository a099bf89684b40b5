"""The one thread that writes: whatever is queued goes to the disk in one transaction."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from time import perf_counter
from typing import Final, TypeAlias

from durak_server.matches import MatchSummary
from durak_server.store.bans import Ban, write_ban
from durak_server.store.catalogue_rows import write_seatings, write_summary
from durak_server.store.errors import (
    Conflict,
    OutcomeUnknown,
    StoreBusy,
    StoreError,
    StoreUnavailable,
)
from durak_server.store.seatings import Seating
from durak_server.store.sqlite_file import primary_code, store_error

_MOST_APPENDS: Final = 512
"""Appends in one transaction; bounds how long the first of them waits."""

# Found before the transaction's last frame is written, so that it surely does not count.
_UNCOMMITTED: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM}
)


@dataclass(frozen=True, slots=True)
class Append:
    """One append that waits: the encoded records, who sat down in them, and who waits for it."""

    after: int
    bodies: Sequence[tuple[int, bytes]]
    """Each with its sequence."""
    seatings: Sequence[Seating]
    summary: MatchSummary
    stored: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class BanChange:
    """A ban that waits to be stored, or with None to be lifted, and who waits for it."""

    player_id: str
    ban: Ban | None
    stored: asyncio.Future[None]

    @property
    def bodies(self) -> Sequence[tuple[int, bytes]]:
        """No records: it belongs to no match."""
        return ()


Change: TypeAlias = Append | BanChange


@dataclass(frozen=True, slots=True)
class Flush:
    """One transaction that was tried: how many appends and records, and how long it took."""

    appends: int
    records: int
    seconds: float


class SqliteWriter:
    """A thread that stores appends in the order in which they come.

    The queue takes `queue_size` appends; what comes when it is full is refused. `on_flush` is
    called in the event loop after every transaction.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        queue_size: int,
        on_flush: Callable[[Flush], None],
    ) -> None:
        self._connection = connection
        self._on_flush = on_flush
        self._queue: Queue[Change | None] = Queue(queue_size + 1)  # one place is for the end
        self._queue_size = queue_size
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def queue_depth(self) -> int:
        """How many appends wait."""
        return self._queue.qsize()

    def submit(self, change: Change) -> None:
        """Queue a change.

        Raises:
            StoreBusy: the queue is full.
        """
        if self._queue.qsize() >= self._queue_size:
            raise StoreBusy(f"{self._queue_size} appends are waiting")
        self._queue.put_nowait(change)

    async def finish(self) -> None:
        """Store what is queued, then end the thread; nothing may be submitted any more."""
        self._queue.put_nowait(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._next_batch()
            if batch:
                began = perf_counter()
                outcomes = self._store(batch)
                records = sum(len(append.bodies) for append in batch)
                flush = Flush(len(batch), records, perf_counter() - began)
                self._loop.call_soon_threadsafe(self._deliver, batch, outcomes, flush)

    def _next_batch(self) -> tuple[list[Change], bool]:
        """Wait for an append; return it with all that wait behind it, and whether to go on."""
        batch: list[Change] = []
        append = self._queue.get()
        while append is not None:
            batch.append(append)
            if len(batch) == _MOST_APPENDS:
                return batch, True
            try:
                append = self._queue.get_nowait()
            except Empty:
                return batch, True
        return batch, False

    def _store(self, batch: Sequence[Change]) -> Sequence[Exception | None]:
        """Store a batch in one transaction; return what is wrong with each append, or None."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._write(append) for append in batch]
        except Exception as error:  # whatever it is, those who wait are told, and the thread lives
            self._roll_back()
            return [_unwritten(error) for _ in batch]
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            return [_uncommitted(error) for _ in batch]
        return outcomes

    def _write(self, change: Change) -> Conflict | None:
        if isinstance(change, Append):
            return self._append(change)
        write_ban(self._connection, change.player_id, change.ban)
        return None

    def _append(self, append: Append) -> Conflict | None:
        try:
            write_summary(self._connection, append.after, append.summary)
        except Conflict as conflict:
            return conflict
        match_id = append.summary.match_id
        self._connection.executemany(
            "INSERT INTO records (match_id, sequence, body) VALUES (?, ?, ?)",
            [(match_id, sequence, body) for sequence, body in append.bodies],
        )
        if append.seatings:
            write_seatings(self._connection, append.seatings)
        return None

    def _roll_back(self) -> None:
        # Some errors have rolled back already; then there is nothing to do.
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def _deliver(
        self, batch: Sequence[Change], outcomes: Sequence[Exception | None], flush: Flush
    ) -> None:
        for append, outcome in zip(batch, outcomes, strict=True):
            if append.stored.done():
                continue  # who waited was cancelled
            if outcome is None:
                append.stored.set_result(None)
            else:
                append.stored.set_exception(outcome)
        self._on_flush(flush)


def _unwritten(error: Exception) -> Exception:
    return store_error(error) if isinstance(error, sqlite3.Error) else error


def _uncommitted(error: sqlite3.Error) -> StoreError:
    if primary_code(error) in _UNCOMMITTED:
        return StoreUnavailable(f"the store cannot be written: {error}")
    return OutcomeUnknown(f"whether it was stored is unknown: {error}")
