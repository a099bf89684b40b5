"""Parts of a server that break a promise, each in one way."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from durak_server.matches import History, Match, MatchSummary, Record, summary
from durak_server.runtime import LiveMatch, LogLost, Surroundings
from durak_server.runtime.ledger import Ledger
from durak_server.store import SqliteStore, StoreUnavailable

_Append: TypeAlias = tuple[str, int, Sequence[Record], MatchSummary]

STORED_BETWEEN_FAILURES = 24


class HastyStore(SqliteStore):
    """Acknowledges each append before it is stored, which it is when the next one comes."""

    _held: _Append | None = None

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        held, self._held = self._held, (match_id, after, records, summary)
        if held:
            await super().append(*held)


class FullNowAndThenStore(SqliteStore):
    """Breaks no promise: it has no room for one append in so many, and says so."""

    _appends = 0

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        self._appends += 1
        if self._appends % (STORED_BETWEEN_FAILURES + 1) == 0:
            await self.read(match_id)  # as long as a disk takes to say no
            raise StoreUnavailable("no room")
        await super().append(match_id, after, records, summary)


class ForgetfulHistory(History):
    """Knows no request again."""

    def answer_to(self, player_id: str, request_id: str) -> None:
        return None


class HastyLedger(Ledger):
    """Shows what a command causes, then stores it."""

    def __init__(
        self, match_id: str, history: History, around: Surroundings, show: Callable[[], None]
    ) -> None:
        super().__init__(match_id, history, around)
        self._show = show

    async def _store(self, records: Sequence[Record], match: Match) -> bool:
        before = self.history.sequence
        self.history.extend(records)
        self._show()
        try:
            await self._around.store.append(self.match_id, before, records, summary(match))
        except StoreUnavailable as error:
            raise LogLost(self.match_id) from error
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
        self._ledger = HastyLedger(match_id, history, around, self._publish)
