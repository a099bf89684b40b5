"""The store that needs no server: one SQLite file, which one process has open."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

from durak_server.matches import MatchStatus, MatchSummary, Record
from durak_server.rules import Preset, RuleSet
from durak_server.store import catalogue_queries
from durak_server.store.bans import Ban, read_bans
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest
from durak_server.store.errors import StoreBusy, StoreUnavailable
from durak_server.store.event_kinds import RECORDS
from durak_server.store.seatings import seatings
from durak_server.store.sqlite_file import StoreFile, store_error
from durak_server.store.sqlite_writer import Append, BanChange, Flush, SqliteWriter

_READERS: Final = 2
_MOST_READS: Final = 1_000
"""Reads that may wait for a reader; what comes then is refused with `StoreBusy`."""

Answer = TypeVar("Answer")


class SqliteStore:
    """Logs and catalogue in one file; an `EventStore`, made by `open`.

    Writes go through one thread and are on the disk when they are acknowledged. Reads have
    connections and threads of their own and wait for no write.
    """

    def __init__(self, file: StoreFile, queue_size: int, on_flush: Callable[[Flush], None]) -> None:
        self._file = file
        self._writer = SqliteWriter(file.writer, queue_size, on_flush)
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        for _ in range(_READERS):
            self._idle.put(file.open_reader())
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")
        self._reads = 0
        self._is_closed = False

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        queue_size: int = 10_000,
        on_flush: Callable[[Flush], None] = lambda _: None,
    ) -> "SqliteStore":
        """Open the file at `path`, or make it and its folder; both are this process's alone.

        `queue_size` appends may wait. `on_flush` is told of every transaction.

        Raises:
            StoreInUse: another process has it open.
            StoreNotUsable: it or its folder cannot be written, or it is of a newer version.
            StoreCorrupt: it is damaged, or not a database.
            StoreUnavailable: the disk is full.
        """
        file = await asyncio.to_thread(StoreFile, path)
        return cls(file, queue_size, on_flush)

    @property
    def queue_depth(self) -> int:
        """How many appends wait."""
        return self._writer.queue_depth

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        """Add records to a log; see `EventStore.append`."""
        self._refuse_if_closed()
        assert match_id == summary.match_id, "a summary is that of the match"
        bodies = [(record.sequence, RECORDS.encode(record)) for record in records]
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        seated = tuple(seatings(match_id, records))
        self._writer.submit(Append(after, bodies, seated, summary, stored))
        await stored

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        """Return the records above `after`; see `EventStore.read`."""
        return await self._ask(lambda connection: _read(connection, match_id, after))

    async def find_invite(self, code: str) -> str | None:
        """Return the match with an invite code; see `EventStore.find_invite`."""
        return await self._ask(lambda connection: catalogue_queries.find_invite(connection, code))

    async def list_public(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return public matches; see `EventStore.list_public`."""
        return await self._ask(
            lambda connection: catalogue_queries.list_public(connection, query, page)
        )

    async def list_all(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return matches, unlisted ones too; see `EventStore.list_all`."""
        return await self._ask(
            lambda connection: catalogue_queries.list_all(connection, query, page)
        )

    async def list_of_player(
        self,
        player_id: str,
        page: PageRequest,
        statuses: frozenset[MatchStatus] = UNFINISHED,
    ) -> Page:
        """Return a player's matches; see `EventStore.list_of_player`."""
        return await self._ask(
            lambda connection: catalogue_queries.list_of_player(
                connection, player_id, page, statuses
            )
        )

    async def waiting_matches(self, rules: RuleSet, player_id: str, most: int) -> list[str]:
        """Return matches that take anybody; see `EventStore.waiting_matches`."""
        return await self._ask(
            lambda connection: catalogue_queries.waiting_matches(connection, rules, player_id, most)
        )

    async def find_seating(self, player_id: str, request_id: str) -> str | None:
        """Return the match of a request; see `EventStore.find_seating`."""
        return await self._ask(
            lambda connection: catalogue_queries.find_seating(connection, player_id, request_id)
        )

    async def count_running(self, player_id: str) -> int:
        """Return how many unfinished matches a player sits at."""
        return await self._ask(
            lambda connection: catalogue_queries.count_running(connection, player_id)
        )

    async def unfinished_with_bots(self) -> list[str]:
        """Return the unfinished matches at which a house bot sits."""
        return await self._ask(catalogue_queries.unfinished_with_bots)

    async def playing_with_clocks(self) -> list[str]:
        """Return the matches being played with a clock."""
        return await self._ask(catalogue_queries.playing_with_clocks)

    async def idle_matches(
        self, open_since: datetime, playing_since: datetime, after: str, most: int
    ) -> list[str]:
        """Return matches that may be forgotten; see `EventStore.idle_matches`."""
        return await self._ask(
            lambda connection: catalogue_queries.idle_matches(
                connection, open_since, playing_since, after, most
            )
        )

    async def counts(self) -> Mapping[tuple[MatchStatus, Preset], int]:
        """Return how many matches there are of each status and preset."""
        return await self._ask(catalogue_queries.counts)

    async def set_ban(self, player_id: str, ban: Ban | None) -> None:
        """Keep a player's ban, or forget it; see `EventStore.set_ban`."""
        self._refuse_if_closed()
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writer.submit(BanChange(player_id, ban, stored))
        await stored

    async def bans(self) -> list[Ban]:
        """Return all bans; see `EventStore.bans`."""
        return await self._ask(read_bans)

    async def close(self) -> None:
        """Store what was accepted, answer what was asked, then give the file free."""
        if self._is_closed:
            return
        self._is_closed = True
        await self._writer.finish()
        await asyncio.to_thread(self._readers.shutdown)
        # Readers first: the last connection to close writes the log back into the file.
        for _ in range(_READERS):
            self._idle.get_nowait().close()
        self._file.close()

    async def _ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        self._refuse_if_closed()
        if self._reads >= _MOST_READS:
            raise StoreBusy(f"{_MOST_READS} reads are waiting")
        self._reads += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._readers, self._answer, question)
        finally:
            self._reads -= 1

    def _answer(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        connection = self._idle.get()
        try:
            connection.execute("BEGIN")  # all that one question reads is of one moment
            try:
                return question(connection)
            finally:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise store_error(error) from error
        finally:
            self._idle.put(connection)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store is closed")


def _read(connection: sqlite3.Connection, match_id: str, after: int) -> list[Record]:
    rows = connection.execute(
        "SELECT sequence, body FROM records WHERE match_id = ? AND sequence > ? ORDER BY sequence",
        (match_id, after),
    )
    return [RECORDS.decode(sequence, body) for sequence, body in rows]
