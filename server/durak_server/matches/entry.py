"""How a match is opened to others while it waits for them, and what they say meanwhile."""

from dataclasses import replace
from datetime import datetime

from durak_server.matches.changed import changed
from durak_server.matches.commands import ReleaseSeats, RenewInvite
from durak_server.matches.events import EntryEvent, InviteRenewed, ReadyChanged, SeatsReleased
from durak_server.matches.preconditions import (
    refuse_to_arrange,
)
from durak_server.matches.refusals import MatchRefusal
from durak_server.matches.reservations import reserved_seats
from durak_server.matches.state import Match


def renew_invite(match: Match, command: RenewInvite) -> tuple[InviteRenewed, ...] | MatchRefusal:
    """Decide `RenewInvite`."""
    refusal = refuse_to_arrange(match, command.player_id, command.expected_sequence)
    return refusal or (InviteRenewed(command.invite_code, command.lifetime),)


def release_seats(match: Match, command: ReleaseSeats) -> tuple[SeatsReleased, ...] | MatchRefusal:
    """Decide `ReleaseSeats`; where none is reserved nothing happens."""
    refusal = refuse_to_arrange(match, command.player_id, command.expected_sequence)
    if refusal:
        return refusal
    count = reserved_seats(match.admission, match.seats)
    return (SeatsReleased(count),) if count else ()


def apply_entry_event(match: Match, event: EntryEvent, at: datetime) -> Match:
    """Return the match after an event of its entry."""
    match event:
        case InviteRenewed(code, lifetime):
            expires_at = at + lifetime if lifetime else None
            return changed(
                match, invite_code=code, invite_expires_at=expires_at, shut_out=frozenset()
            )
        case SeatsReleased():
            admission = replace(match.admission, reserved_for=(), reserved_for_code=0)
            return changed(match, admission=admission)
        case ReadyChanged(seat, is_ready):
            player = match.seats[seat]
            assert player, "somebody says that he is ready"
            return match.with_player(seat, replace(player, is_ready=is_ready))
