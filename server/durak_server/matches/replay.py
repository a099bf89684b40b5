"""Who sees what of the past of a match: all cards once it is over, before that his own.

Each function takes for granted that the player may watch the match (`refuse_watching`).
"""

from durak_server.matches.preconditions import refuse_not_over
from durak_server.matches.redact import Openly, Viewer
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match


def replay_viewer(match: Match, player_id: str) -> Viewer:
    """Return as whom a player gets the events of the match."""
    return Openly.OPEN if match.status.is_over else match.active_seat_of(player_id)


def past_viewer(
    match: Match, player_id: str, seat: int | None, *, open_cards: bool
) -> Viewer | MatchRefusal:
    """Return as whom a player sees the match at an earlier moment, or why he does not.

    `seat` is the one from which he wants to see it, None for his own.
    """
    if seat is not None and seat >= len(match.seats):
        problem = f"the match has {len(match.seats)} seats"
        return MatchRefusal(MatchReason.INVALID_FIELD, (("seat", problem),))
    own = match.active_seat_of(player_id)
    if open_cards:
        return refuse_not_over(match) or Openly.OPEN
    if seat is None or seat == own:
        return own
    return refuse_not_over(match) or seat
