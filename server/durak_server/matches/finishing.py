"""When a match is played out (rules.md, 8.7, and the option `deals`)."""

from collections.abc import Sequence

from durak_server import rules
from durak_server.matches.events import MatchFinished
from durak_server.matches.state import Match


def finish_if_played_out(
    match: Match, events: Sequence[rules.Event], *, has_leaver: bool
) -> tuple[MatchFinished, ...]:
    """Return the end of the match, if `events` end the last deal to be played.

    The last is the last of the rule set's number, or any once a player has left.
    """
    last = events[-1] if events else None
    if not isinstance(last, rules.DealEnded):
        finished = has_leaver and match.awaits_deal
        return (MatchFinished(match.times_fool),) if finished else ()
    if has_leaver or _is_last(match, last):
        return (MatchFinished(match.times_fool_after(last)),)
    return ()


def _is_last(match: Match, result: rules.DealEnded) -> bool:
    counts = result.reason is not rules.DealEndReason.REDEAL
    return counts and match.deals_played + 1 == match.rules.deals
