"""Whether the players are ready, and the match may start."""

from dataclasses import replace

from durak_server.matches.commands import SetReady, StartMatch
from durak_server.matches.events import MatchEvent, MatchStarted, ReadyChanged
from durak_server.matches.player import PlayerKind
from durak_server.matches.preconditions import (
    refuse_stale,
    refuse_started,
    refuse_to_arrange,
)
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match


def set_ready(match: Match, command: SetReady) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `SetReady`; saying it twice changes nothing. The last word may start the match."""
    seat = match.active_seat_of(command.player_id)
    player = None if seat is None else match.seats[seat]
    if seat is None or player is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = refuse_started(match) or refuse_stale(match, command.expected_sequence)
    if refusal:
        return refusal
    if player.is_ready is command.is_ready:
        return ()
    said = ReadyChanged(seat, command.is_ready)
    after = match.with_player(seat, replace(player, is_ready=command.is_ready))
    return (said, MatchStarted()) if starts_by_itself(after) else (said,)


def start(match: Match, command: StartMatch) -> tuple[MatchStarted, ...] | MatchRefusal:
    """Decide `StartMatch`; who gives it is ready without saying so."""
    refusal = refuse_to_arrange(match, command.player_id, command.expected_sequence)
    if refusal:
        return refusal
    free = [seat for seat, player in enumerate(match.seats) if player is None]
    if free:
        return MatchRefusal(MatchReason.SEATS_FREE, (("free", _listed(free)),))
    unready = [seat for seat in _unready(match) if seat != match.seat_of(command.player_id)]
    if match.admission.requires_ready and unready:
        return MatchRefusal(MatchReason.PLAYERS_NOT_READY, (("seats", _listed(unready)),))
    return (MatchStarted(),)


def starts_by_itself(match: Match) -> bool:
    """Tell whether an open match starts now, without anybody's command."""
    if not match.start_when_full or None in match.seats:
        return False
    return not (match.admission.requires_ready and _unready(match))


def _unready(match: Match) -> list[int]:
    return [
        seat
        for seat, player in enumerate(match.seats)
        if player and player.kind is PlayerKind.HUMAN and not player.is_ready
    ]


def _listed(seats: list[int]) -> str:
    return ", ".join(map(str, seats))
