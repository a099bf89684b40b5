"""When a match that everybody forgot is abandoned."""

from collections.abc import Sequence
from typing import Final

from durak_server.matches.commands import ExpireMatch
from durak_server.matches.events import AbandonReason, MatchAbandoned, MatchEvent, TimeRanOut
from durak_server.matches.state import Match, MatchStatus

_MOST_DEALS: Final = 10


def expire(match: Match, command: ExpireMatch) -> tuple[MatchAbandoned, ...]:
    """Decide `ExpireMatch`: nothing happens if a human has acted since, or the match is over."""
    if match.status.is_over:
        return ()
    is_open = match.status is MatchStatus.OPEN
    since = command.open_since if is_open else command.playing_since
    return () if match.acted_at > since else (MatchAbandoned(AbandonReason.EXPIRED),)


def expire_unattended(
    match: Match, events: Sequence[MatchEvent], most_in_a_row: int | None
) -> tuple[MatchAbandoned, ...]:
    """Return the end of a match if, with `events`, so many turns in a row have run out.

    A deal in which a human has acted is played to its end: whoever is out of it by then can do no
    more, and has a result to come. Ten deals in a row are enough: a turn may cost its player the
    deal, which bots then play on. What happens because time ran out is no act of a human; what
    bots do between is none either.
    """
    ran_out = sum(isinstance(event, TimeRanOut) for event in events)
    if not ran_out or most_in_a_row is None:
        return ()
    turns, deals = match.timeouts_in_a_row + ran_out, match.deals_in_a_row
    is_unattended = (deals and turns >= most_in_a_row) or deals >= _MOST_DEALS
    return (MatchAbandoned(AbandonReason.EXPIRED),) if is_unattended else ()
