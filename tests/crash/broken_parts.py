"""Parts of a server that break a promise, each in one way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from durak_server.matches import Folded, History, MatchSummary, Record, summary
from durak_server.runtime import LiveMatch, Surroundings
from durak_server.runtime.ledger import Ledger
from durak_server.store import SqliteStore, StoreUnavailable

_Append: TypeAlias = tuple[str, int, Sequence[Record], MatchSummary]

ROOM = 40
"""Appends that a full store takes before it is full: a match has more, with its making."""


class HastyStore(SqliteStore):
    """Acknowledges each append before it is stored, which it is when the next one comes."""

    _held: _Append | None = None

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        held, self._held = self._held, (match_id, after, records, summary)
        if held:
            await super().append(*held)


class FullStore(SqliteStore):
    """Breaks no promise: it has room for so many appends, and refuses what comes then."""

    _appends = 0

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        self._appends += 1
        if self._appends > ROOM:
            raise StoreUnavailable("no room")
        await super().append(match_id, after, records, summary)


class ForgetfulHistory(History):
    """Knows no request again."""

    def answer_to(self, player_id: str, request_id: str) -> None:
        return None


class HastyLedger(Ledger):
    """Shows what a command causes, and stores it once everybody has seen it."""

    def __init__(
        self,
        match_id: str,
        history: History,
        around: Surroundings,
        show: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(match_id, history, around)
        self._show = show

    async def _store(self, steps: Sequence[Folded]) -> bool:
        before = self.history.sequence
        self.history.take(steps)
        await self._show()
        records, match = [step.record for step in steps], steps[-1].match
        try:
            await self._around.store.append(self.match_id, before, records, summary(match))
        except StoreUnavailable:
            await self._read_again(at_least=before)
            raise
        return True


class HastyMatch(LiveMatch):
    """A match with a `HastyLedger`."""

    def __init__(
        self,
        match_id: str,
        history: History,
        around: Surroundings,
        on_change: Callable[[LiveMatch], None],
    ) -> None:
        super().__init__(match_id, history, around, on_change)
        self._ledger = HastyLedger(match_id, history, around, self._show)

    async def _show(self) -> None:
        self._publish()
        behind = self.history.sequence
        # A watcher tells nobody how far it is, so there is nothing else to wait for.
        while any(watcher.sequence < behind for watcher in self._watchers):  # noqa: ASYNC110
            await asyncio.sleep(0)
