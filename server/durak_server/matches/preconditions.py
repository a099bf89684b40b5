"""What a command may want of a match before anything else is looked at.

Each function returns the refusal, or None if the want is met; a command's checks are these in a
row. Who asks comes first, then where the match stands, then `expected_sequence`.
"""

from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match, MatchStatus, Spectators, Visibility


def refuse_not_owner(match: Match, player_id: str) -> MatchRefusal | None:
    """Refuse everyone but the owner."""
    return None if player_id == match.owner_id else MatchRefusal(MatchReason.NOT_OWNER)


def refuse_over(match: Match) -> MatchRefusal | None:
    """Refuse a match that is finished or abandoned."""
    return MatchRefusal(MatchReason.MATCH_OVER) if match.status.is_over else None


def refuse_started(match: Match) -> MatchRefusal | None:
    """Refuse a match that is not open any more."""
    if match.status is MatchStatus.PLAYING:
        return MatchRefusal(MatchReason.MATCH_STARTED)
    return refuse_over(match)


def refuse_to_arrange(match: Match, player_id: str, expected_sequence: int) -> MatchRefusal | None:
    """Refuse what only the owner may arrange, and only before the start."""
    return (
        refuse_not_owner(match, player_id)
        or refuse_started(match)
        or refuse_stale(match, expected_sequence)
    )


def refuse_not_started(match: Match) -> MatchRefusal | None:
    """Refuse a match that is not being played."""
    if match.status is MatchStatus.OPEN:
        return MatchRefusal(MatchReason.MATCH_NOT_STARTED)
    return refuse_over(match)


def refuse_not_over(match: Match) -> MatchRefusal | None:
    """Refuse a match that is open or being played."""
    return None if match.status.is_over else MatchRefusal(MatchReason.MATCH_NOT_OVER)


def refuse_stale(match: Match, expected_sequence: int) -> MatchRefusal | None:
    """Refuse who has seen another last event, talk not counted; 0 expects nothing."""
    if not expected_sequence or match.last_deed <= expected_sequence <= match.sequence:
        return None
    facts = (("sequence", str(match.sequence)), ("expected", str(expected_sequence)))
    return MatchRefusal(MatchReason.STALE_SEQUENCE, facts)


def refuse_stranger(match: Match, player_id: str) -> MatchRefusal | None:
    """Refuse, as if there were no match, who may neither find, watch nor play it."""
    is_shown = match.visibility is Visibility.PUBLIC or match.spectators is not Spectators.NONE
    if is_shown or match.seat_of(player_id) is not None:
        return None
    return MatchRefusal(MatchReason.MATCH_NOT_FOUND)


def refuse_watching(match: Match, player_id: str) -> MatchRefusal | None:
    """Refuse who may not see the match: without a seat, where there are no spectators."""
    if match.spectators is not Spectators.NONE or match.seat_of(player_id) is not None:
        return None
    if player_id in match.removed:
        return MatchRefusal(MatchReason.PLAYER_REMOVED)
    return refuse_stranger(match, player_id) or MatchRefusal(MatchReason.SPECTATORS_REFUSED)
