"""What somebody may know of a match by now: everything, or what is older than a delay."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_server.matches import NO_DELAY, History, Match, delay_for


@dataclass(frozen=True, slots=True)
class Outlook:
    """A match up to the last event that somebody may know of."""

    match: Match
    until: datetime
    """The moment up to which he sees."""
    delay: timedelta = NO_DELAY
    next_at: datetime | None = None
    """When he may know of the event after it; None if there is none yet."""

    @property
    def sequence(self) -> int:
        """The number of the last event, 1 or more."""
        return self.match.sequence


class Outlooks:
    """The outlooks on one match; what many see with the same delay is worked out once."""

    def __init__(self) -> None:
        self._past: Match | None = None

    def of(self, player_id: str, history: History, match: Match, now: datetime) -> Outlook:
        """Return what a player sees of `match`, the last of `history`.

        The first event, which says what is played and by which rules, is nobody's secret.
        """
        delay = delay_for(match, player_id)
        until = now - delay
        sequence = max(1, history.sequence_at(until)) if delay else match.sequence
        if sequence == match.sequence:
            return Outlook(match, until, delay)
        (following,) = history.records(sequence, sequence + 1)
        past = self._match_at(sequence, history)
        return Outlook(past, until, delay, following.recorded_at + delay)

    def _match_at(self, sequence: int, history: History) -> Match:
        if self._past is None or self._past.sequence != sequence:
            self._past = history.match_at(sequence)
        assert self._past, "there is a first event"
        return self._past
