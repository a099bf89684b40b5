"""What a match notes of who is connected."""

from durak_server.matches.commands import NotePresence
from durak_server.matches.events import PresenceChanged
from durak_server.matches.player import PlayerKind
from durak_server.matches.state import Match


def note_presence(match: Match, command: NotePresence) -> tuple[PresenceChanged, ...]:
    """Decide `NotePresence`: nothing happens if that is known, or if no such human sits here."""
    seat = match.active_seat_of(command.player_id)
    player = None if seat is None else match.seats[seat]
    if seat is None or player is None or player.kind is PlayerKind.BOT or match.status.is_over:
        return ()
    is_known = player.presence is command.presence
    return () if is_known else (PresenceChanged(seat, command.presence),)
