"""What the lobby asks of the store: which matches, and how many at a time."""

from dataclasses import dataclass

from durak_server.matches import MatchStatus, MatchSummary, Visibility
from durak_server.rules import Preset

UNFINISHED = frozenset({MatchStatus.OPEN, MatchStatus.PLAYING})


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which public matches to list; all of it must hold.

    `presets` empty: any. `options` are the names of rule set options with the values they must
    have.
    """

    statuses: frozenset[MatchStatus] = UNFINISHED
    presets: frozenset[Preset] = frozenset()
    options: tuple[tuple[str, str | int | bool], ...] = ()
    has_free_seat: bool = False
    has_no_password: bool = False

    @property
    def takes_all(self) -> bool:
        """Whether all matches of its statuses are such ones."""
        return self == MatchQuery(self.statuses)

    def fits(self, match: MatchSummary) -> bool:
        """Tell whether a match is one to list."""
        return match.visibility is Visibility.PUBLIC and self.describes(match)

    def describes(self, match: MatchSummary) -> bool:
        """Tell whether a match is such a one, listed or not."""
        return (
            match.status in self.statuses
            and (not self.presets or match.preset in self.presets)
            and (not self.has_free_seat or match.has_free_seat)
            and not (self.has_no_password and match.admission.password)
            and all(getattr(match.rules, name) == value for name, value in self.options)
        )


@dataclass(frozen=True, slots=True)
class PageRequest:
    """How many matches at most, from 1, and after which: the token of the page before, or ""."""

    size: int = 20
    token: str = ""
    most_looked_at: int = 1_000
    """So many matches, from 1, are tested for one page at most: five milliseconds' work or so."""

    def looks_at(self, query: MatchQuery) -> int:
        """Return at how many matches of a query's statuses a page looks, at most."""
        return self.size if query.takes_all else self.most_looked_at


@dataclass(frozen=True, slots=True)
class Page:
    """Matches, newest first; `next_token` is empty on the last page, and on no other.

    A page may have fewer matches than asked for, or none, and others may follow all the same: it
    ends where it has looked at as many as it may. Paging goes by (created_at, match_id): what is
    made meanwhile moves no match to another page.
    """

    matches: tuple[MatchSummary, ...] = ()
    next_token: str = ""
    passed_over: int = 0
    """How many were looked at that did not fit."""
