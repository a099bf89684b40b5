"""When a match is played out (rules.md, 8.7, and the option `deals`)."""

from collections.abc import Sequence

from durak_server import rules
from durak_server.matches.events import MatchFinished
from durak_server.matches.state import Match


def finish_if_played_out(match: Match, events: Sequence[rules.Event]) -> tuple[MatchFinished, ...]:
    """Return the end of the match, if `events` end the last deal to be played.

    The last is the last of the rule set's number, or the one with which a leaver ends the match.
    Whoever leaves has left `match` already.
    """
    last = events[-1] if events else None
    if not isinstance(last, rules.DealEnded):
        finished = match.ends_with_deal and match.awaits_deal
        return (MatchFinished(match.times_fool),) if finished else ()
    if match.ends_with_deal or _is_last(match, last):
        return (MatchFinished(match.times_fool_after(last)),)
    return ()


def _is_last(match: Match, result: rules.DealEnded) -> bool:
    return match.counts(result) and match.deals_played + 1 == match.rules.deals
