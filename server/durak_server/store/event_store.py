"""What every store does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from durak_server.matches import MatchStatus, MatchSummary, Record
from durak_server.rules import Preset, RuleSet
from durak_server.store.bans import Ban
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest


class EventStore(Protocol):
    """The logs of all matches, the catalogue that the lobby reads, and who is banned.

    The catalogue is written with the records, in one transaction. Every call may raise
    `StoreUnavailable`, `StoreBusy` (too many wait; nothing was done) and `StoreCorrupt`.
    """

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        """Add the records after sequence `after`; they are kept for good once this returns.

        `summary` is the match after the last of them. A cancelled call may yet be carried out.

        Raises:
            Conflict: the log's last record is not `after` (0: the match exists already).
            OutcomeUnknown: it may have been stored.
        """

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        """Return the records above `after`, in order; none if there is no such match."""

    async def find_invite(self, code: str) -> str | None:
        """Return the id of the match with that invite code (in any case), or None."""

    async def list_public(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return public matches; a page may be short, or empty, before the last one.

        Raises:
            InvalidPageToken: the token is none of this store's.
        """

    async def list_all(self, query: MatchQuery, page: PageRequest) -> Page:
        """Return matches that a query describes, unlisted ones too; pages as of `list_public`.

        Raises:
            InvalidPageToken: the token is none of this store's.
        """

    async def list_of_player(
        self,
        player_id: str,
        page: PageRequest,
        statuses: frozenset[MatchStatus] = UNFINISHED,
    ) -> Page:
        """Return the matches at which a player sits; not those that he left.

        Raises:
            InvalidPageToken: the token is none of this store's.
        """

    async def waiting_matches(self, rules: RuleSet, player_id: str, most: int) -> list[str]:
        """Return the ids of the matches of these rules that take anybody, oldest first.

        Those at which the player sits are left out; at most so many.
        """

    async def find_seating(self, player_id: str, request_id: str) -> str | None:
        """Return the match at which a player sat down by a request, or None; "" names none."""

    async def count_running(self, player_id: str) -> int:
        """Return how many unfinished matches a player sits at."""

    async def unfinished_with_bots(self) -> list[str]:
        """Return the ids of the unfinished matches at which a house bot sits."""

    async def playing_with_clocks(self) -> list[str]:
        """Return the ids of the matches being played with a clock."""

    async def idle_matches(
        self, open_since: datetime, playing_since: datetime, after: str, most: int
    ) -> list[str]:
        """Return the ids of matches in which perhaps no human has acted since a moment.

        The moment is another one for open matches than for those being played. Those in which
        something has happened since are left out, but for what clocks may have done. The ids are
        in their order, behind `after`, and at most so many.
        """

    async def counts(self) -> Mapping[tuple[MatchStatus, Preset], int]:
        """Return how many matches there are of each status and preset; none where there are 0."""

    async def set_ban(self, player_id: str, ban: Ban | None) -> None:
        """Keep a player's ban for good, in place of any before; with None forget it.

        Raises:
            OutcomeUnknown: it may have been stored.
        """

    async def bans(self) -> list[Ban]:
        """Return all bans, those whose time is over too."""

    async def close(self) -> None:
        """Finish what was accepted, then refuse everything; closing twice is fine."""
