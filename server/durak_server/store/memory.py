"""A store that forgets everything with its process: for tests, and play that needs no keeping."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest

from durak_server.matches import MatchStatus, MatchSummary, Record, Visibility
from durak_server.rules import Preset, RuleSet
from durak_server.store.bans import Ban
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest
from durak_server.store.errors import Conflict, StoreUnavailable
from durak_server.store.paging import (
    LAST_PLACE,
    looked_at,
    page_key,
    page_of,
    parse_page_token,
)
from durak_server.store.seatings import seatings


class MemoryStore:
    """Logs and catalogue in memory; an `EventStore` that is never busy."""

    def __init__(self) -> None:
        self._logs: dict[str, list[Record]] = {}
        self._summaries: dict[str, MatchSummary] = {}
        self._seatings: dict[tuple[str, str], str] = {}
        self._bans: dict[str, Ban] = {}
        self._is_closed = False

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        """Add records to a log; see `EventStore.append`."""
        self._refuse_if_closed()
        head = len(self._logs.get(match_id, ()))
        if head != after:
            raise Conflict(head)
        self._logs.setdefault(match_id, []).extend(records)
        self._summaries[match_id] = summary
        for one in seatings(match_id, records):
            self._seatings.setdefault((one.player_id, one.request_id), match_id)

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        """Return the records above `after`; see `EventStore.read`."""
        self._refuse_if_closed()
        return self._logs.get(match_id, [])[after:]

    async def find_invite(self, code: str) -> str | None:
        """Return the match with an invite code; see `EventStore.find_invite`."""
        self._refuse_if_closed()
        found = [
            summary
            for summary in self._summaries.values()
            if summary.invite_code.upper() == code.upper()
        ]
        newest = max(found, key=page_key, default=None)
        return newest.match_id if newest else None

    async def list_public(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return public matches; see `EventStore.list_public`."""
        public = (
            match for match in self._of(query.statuses) if match.visibility is Visibility.PUBLIC
        )
        return self._list(public, query, page)

    async def list_all(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return matches, unlisted ones too; see `EventStore.list_all`."""
        return self._list(self._of(query.statuses), query, page)

    async def list_of_player(
        self,
        player_id: str,
        page: PageRequest,
        statuses: frozenset[MatchStatus] = UNFINISHED,
    ) -> Page:
        """Return a player's matches; see `EventStore.list_of_player`."""
        his = (match for match in self._of(statuses) if player_id in match.sitting)
        return self._list(his, MatchQuery(statuses), page)

    async def waiting_matches(self, rules: RuleSet, player_id: str, most: int) -> list[str]:
        """Return matches that take anybody; see `EventStore.waiting_matches`."""
        self._refuse_if_closed()
        found = [
            summary
            for summary in self._summaries.values()
            if summary.takes_anybody and summary.rules == rules and player_id not in summary.sitting
        ]
        return [summary.match_id for summary in sorted(found, key=page_key)[:most]]

    async def find_seating(self, player_id: str, request_id: str) -> str | None:
        """Return the match of a request; see `EventStore.find_seating`."""
        self._refuse_if_closed()
        return self._seatings.get((player_id, request_id))

    async def count_running(self, player_id: str) -> int:
        """Return how many unfinished matches a player sits at."""
        self._refuse_if_closed()
        return sum(
            summary.status in UNFINISHED and player_id in summary.sitting
            for summary in self._summaries.values()
        )

    async def unfinished_with_bots(self) -> list[str]:
        """Return the unfinished matches at which a house bot sits."""
        self._refuse_if_closed()
        return [
            match_id
            for match_id, summary in self._summaries.items()
            if summary.status in UNFINISHED and summary.has_bots
        ]

    async def playing_with_clocks(self) -> list[str]:
        """Return the matches being played with a clock."""
        self._refuse_if_closed()
        return [
            match_id
            for match_id, summary in self._summaries.items()
            if summary.status is MatchStatus.PLAYING and summary.rules.turn_seconds
        ]

    async def idle_matches(
        self, open_since: datetime, playing_since: datetime, after: str, most: int
    ) -> list[str]:
        """Return matches that may be forgotten; see `EventStore.idle_matches`."""
        self._refuse_if_closed()
        since = {MatchStatus.OPEN: open_since, MatchStatus.PLAYING: playing_since}
        found = (
            match_id
            for match_id, summary in self._summaries.items()
            if match_id > after
            and summary.status in since
            and _may_be_idle(summary, since[summary.status])
        )
        return sorted(found)[:most]

    async def counts(self) -> Mapping[tuple[MatchStatus, Preset], int]:
        """Return how many matches there are of each status and preset."""
        self._refuse_if_closed()
        return Counter((summary.status, summary.preset) for summary in self._summaries.values())

    async def set_ban(self, player_id: str, ban: Ban | None) -> None:
        """Keep a player's ban, or forget it; see `EventStore.set_ban`."""
        self._refuse_if_closed()
        self._bans.pop(player_id, None)
        if ban:
            self._bans[player_id] = ban

    async def bans(self) -> list[Ban]:
        """Return all bans."""
        self._refuse_if_closed()
        return list(self._bans.values())

    async def close(self) -> None:
        """Refuse everything from now on."""
        self._is_closed = True

    def _of(self, statuses: frozenset[MatchStatus]) -> Iterator[MatchSummary]:
        return (match for match in self._summaries.values() if match.status in statuses)

    def _list(self, matches: Iterable[MatchSummary], query: MatchQuery, page: PageRequest) -> Page:
        self._refuse_if_closed()
        after = parse_page_token(page.token) or LAST_PLACE
        most = page.looks_at(query)
        behind = (match for match in matches if page_key(match) < after)
        newest = nlargest(most + 1, behind, key=page_key)
        fitting = [match for match in newest[:most] if query.describes(match)]
        return page_of(fitting, page.size, looked_at([page_key(match) for match in newest], most))

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store is closed")


def _may_be_idle(summary: MatchSummary, since: datetime) -> bool:
    is_timed = summary.status is MatchStatus.PLAYING and summary.rules.turn_seconds
    return (summary.created_at if is_timed else summary.updated_at) <= since
