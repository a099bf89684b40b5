"""Stores that really store, and fail in one way when told to."""

import asyncio
from collections.abc import Sequence

from durak_server.matches import MatchSummary, Record
from durak_server.store import Conflict, MemoryStore, OutcomeUnknown, StoreUnavailable


class SlowStore(MemoryStore):
    """Stores once the gate is open; `reached` tells that an append waits at it.

    `waiting` is how many do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.reached = asyncio.Event()
        self.waiting = 0

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        self.waiting += 1
        self.reached.set()
        await self.gate.wait()
        self.waiting -= 1
        await super().append(match_id, after, records, summary)


class FullStore(MemoryStore):
    """Stores nothing while it is full."""

    is_full = False

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        if self.is_full:
            raise StoreUnavailable("no room")
        await super().append(match_id, after, records, summary)


class FailingStore(MemoryStore):
    """Stores nothing while it has a failure to show."""

    failure: Exception | None = None

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        if self.failure:
            raise self.failure
        await super().append(match_id, after, records, summary)


class TornStore(MemoryStore):
    """Does not tell whether it has stored: it has, or has not, as `stores` says."""

    is_torn = False
    stores = True
    can_read = True
    reads_left: int | None = None
    """How often it can still be read; None: for ever."""

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        if self.stores or not self.is_torn:
            await super().append(match_id, after, records, summary)
        if self.is_torn:
            raise OutcomeUnknown("the connection is lost")

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        if not self.can_read or self.reads_left == 0:
            raise StoreUnavailable("the connection is lost")
        if self.reads_left:
            self.reads_left -= 1
        return await super().read(match_id, after)


class ContestedStore(MemoryStore):
    """Another always writes first."""

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        raise Conflict(after)


class CutStore(MemoryStore):
    """Has lost the last so many records that it acknowledged."""

    lost = 0

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        if self.lost:
            raise Conflict(after - self.lost)
        await super().append(match_id, after, records, summary)

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        records = await super().read(match_id, after)
        return records[: len(records) - self.lost]


class GapStore(MemoryStore):
    """Has lost the second record of the match that is `broken`."""

    broken = ""

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        records = await super().read(match_id, after)
        return records[:1] + records[2:] if match_id == self.broken else records


class CountingStore(MemoryStore):
    """Counts the reads, each of which takes a turn of the event loop."""

    reads = 0

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        self.reads += 1
        await asyncio.sleep(0)
        return await super().read(match_id, after)


class OrderedStore(MemoryStore):
    """Tells in which order matches were appended to."""

    def __init__(self) -> None:
        super().__init__()
        self.stored: list[str] = []

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        await super().append(match_id, after, records, summary)
        self.stored.append(match_id)
