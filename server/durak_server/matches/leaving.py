"""What follows when a player gives his seat up (rules.md, 8.7)."""

from durak_server import rules
from durak_server.matches.commands import LeaveMatch
from durak_server.matches.events import MatchAbandoned, MatchEvent, OwnerChanged, PlayerLeft
from durak_server.matches.finishing import finish_if_played_out
from durak_server.matches.preconditions import refuse_over, refuse_stale
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match, Player, PlayerKind


def leave(match: Match, command: LeaveMatch) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `LeaveMatch`.

    Before the start the seat is free again. During the play he forfeits the deal, if he is still
    in it, and the match ends with that deal. Without humans the match is abandoned.
    """
    seat = match.active_seat_of(command.player_id)
    if seat is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = refuse_over(match) or refuse_stale(match, command.expected_sequence)
    if refusal:
        return refusal
    heir = _next_human(match, seat)
    left: tuple[MatchEvent, ...] = (PlayerLeft(seat, command.player_id),)
    if heir and command.player_id == match.owner_id:
        left = (*left, OwnerChanged(heir.player_id))
    forfeited = _forfeit(match, seat)
    if heir is None:
        return (*left, *forfeited, MatchAbandoned())
    return (*left, *forfeited, *finish_if_played_out(match, forfeited, has_leaver=True))


def _next_human(match: Match, seat: int) -> Player | None:
    """Return the next human clockwise from a seat who has not left, or None."""
    for player in (*match.seats[seat + 1 :], *match.seats[:seat]):
        if player and player.kind is PlayerKind.HUMAN and not player.has_left:
            return player
    return None


def _forfeit(match: Match, seat: int) -> tuple[rules.Event, ...]:
    """Return what a player's leaving does to the deal: nothing if he is out of it already."""
    position = match.position
    if position is None or position.result or not position.in_play >> seat & 1:
        return ()
    return rules.forfeit(position, seat)[1]
