"""How late those who only watch see a match."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from durak_server.matches.player import Player, Presence
from durak_server.matches.state import Match, MatchStatus, Spectators
from durak_server.matches.summary import MatchSummary

NO_DELAY: Final = timedelta(0)


def delay_for(match: Match, player_id: str) -> timedelta:
    """Return by how much later than the players somebody sees the match; they see it at once."""
    if match.spectators is not Spectators.DELAYED or match.seat_of(player_id) is not None:
        return NO_DELAY
    return match.spectator_delay


def as_listed(summary: MatchSummary, player_id: str) -> MatchSummary:
    """Return what a list, which knows no delay, tells a player of a match.

    Of one that he sees late it tells nothing of the play, but that it is played or over. The
    sequence of such a one is 0.
    """
    is_seated = any(player and player.player_id == player_id for player in summary.seats)
    is_open = summary.status is MatchStatus.OPEN
    if summary.spectators is not Spectators.DELAYED or is_seated or is_open:
        return summary
    return replace(
        summary,
        seats=tuple(map(_as_seated, summary.seats)),
        owner_id="",
        times_fool=(0,) * len(summary.times_fool),
        sequence=0,
        updated_at=summary.created_at,
        deal=0,
        next_match_id="",
    )


def _as_seated(player: Player | None) -> Player | None:
    return player and replace(player, has_left=False, presence=Presence.CONNECTED)
