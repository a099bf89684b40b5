"""What a command led to."""

from collections.abc import Sequence
from dataclasses import dataclass

from durak_server.matches import History, Match, SeenRecord


@dataclass(frozen=True, slots=True)
class Outcome:
    """The records that a command caused, and the match after them.

    They are those from `first` to `last`; none if `first` is beyond `last`. The outcome of a
    repeated request is that of the first time, however far the match has gone since.
    """

    history: History
    first: int
    last: int
    match: Match

    def seen(self, seat: int | None) -> Sequence[SeenRecord]:
        """Return the records as the viewer on `seat` may see them."""
        return self.history.seen(self.first - 1, seat, self.last)


def outcome_again(history: History, first: int, last: int) -> Outcome:
    """Return the outcome of a request whose records are `first` to `last` of the log."""
    match = history.match
    if match is None or match.sequence != last:
        match = history.match_at(last)
        assert match, "a request that is answered has made records"
    return Outcome(history, first, last, match)
