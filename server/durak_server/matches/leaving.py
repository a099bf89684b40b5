"""What follows when a player gives his seat up, or loses it (rules.md, 8.7)."""

from durak_server import rules
from durak_server.matches.commands import LeaveMatch, RemovePlayer
from durak_server.matches.events import (
    LeaveReason,
    MatchAbandoned,
    MatchEvent,
    OwnerChanged,
    PlayerLeft,
)
from durak_server.matches.finishing import finish_if_played_out
from durak_server.matches.player import Player, PlayerKind
from durak_server.matches.preconditions import (
    refuse_over,
    refuse_stale,
    refuse_to_arrange,
)
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match
from durak_server.rules import Leave


def leave(match: Match, command: LeaveMatch) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `LeaveMatch`.

    Before the start the seat is free again. During the play the deal, if he is still in it, goes
    on without him, is void, or is played on by the house. Without humans the match is abandoned.
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
    without_him = match.without_player(seat)
    caused = _deal_without(without_him, seat)
    if heir is None:
        return (*left, *caused, MatchAbandoned())
    return (*left, *caused, *finish_if_played_out(without_him, caused))


def remove(match: Match, command: RemovePlayer) -> tuple[PlayerLeft, ...] | MatchRefusal:
    """Decide `RemovePlayer`: the seat is free again."""
    refusal = refuse_to_arrange(match, command.player_id, command.expected_sequence)
    if refusal:
        return refusal
    if command.removed_id == match.owner_id:
        problem = "must not be the owner, who leaves by himself"
        return MatchRefusal(MatchReason.INVALID_FIELD, (("player_id", problem),))
    seat = match.seat_of(command.removed_id)
    if seat is None:
        return MatchRefusal(MatchReason.PLAYER_NOT_SEATED)
    return (PlayerLeft(seat, command.removed_id, LeaveReason.REMOVED),)


def _next_human(match: Match, seat: int) -> Player | None:
    """Return the next human clockwise from a seat who has not left, or None."""
    for player in (*match.seats[seat + 1 :], *match.seats[:seat]):
        if player and player.kind is PlayerKind.HUMAN and not player.has_left:
            return player
    return None


def _deal_without(match: Match, seat: int) -> tuple[rules.Event, ...]:
    """Return what it did to the deal that `seat` has left: nothing if he was out of it already."""
    position = match.position
    if position is None or position.result or not position.in_play >> seat & 1:
        return ()
    if match.rules.leave is Leave.BOT:
        return ()
    caused = rules.forfeit(position, seat) if match.ends_with_deal else rules.void_deal(position)
    return caused[1]
