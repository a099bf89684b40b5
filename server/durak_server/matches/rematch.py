"""Another match after a finished one: offered, accepted by everybody, made once."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from durak_server.matches.admission import Admission
from durak_server.matches.changed import changed
from durak_server.matches.commands import AnnounceRematch, MakeRematch, WantRematch
from durak_server.matches.events import (
    MatchCreated,
    MatchEvent,
    MatchStarted,
    PlayerJoined,
    RematchEvent,
    RematchMade,
    RematchOffered,
)
from durak_server.matches.player import Player, Presence
from durak_server.matches.playing import dealer_and_leader
from durak_server.matches.preconditions import refuse_not_over
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import Match, MatchStatus


def want_rematch(match: Match, command: WantRematch) -> tuple[RematchOffered, ...] | MatchRefusal:
    """Decide `WantRematch`; wanting it twice changes nothing."""
    seat = match.active_seat_of(command.player_id)
    if seat is None:
        return MatchRefusal(MatchReason.NOT_SEATED)
    refusal = refuse_not_over(match)
    if refusal:
        return refusal
    if match.status is MatchStatus.ABANDONED:
        return MatchRefusal(MatchReason.MATCH_OVER)
    return () if seat in match.rematch_wanted_by else (RematchOffered(seat),)


def announce_rematch(match: Match, command: AnnounceRematch) -> tuple[RematchMade, ...]:
    """Decide `AnnounceRematch`: a match has one rematch at most, told once."""
    return (RematchMade(command.match_id),) if match.awaits_rematch else ()


def make_rematch(
    match: Match | None, command: MakeRematch
) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Decide `MakeRematch`: nothing happens if it is made already.

    Rules and seats are as before, and it starts at once. If a player has left, his seat is free
    and it starts when somebody has taken that. The invite code is the same: it leads to the newer.
    """
    previous = command.previous
    if match:
        is_made = match.previous_match_id == previous.match_id
        return () if is_made else MatchRefusal(MatchReason.MATCH_EXISTS)
    dealer, leader = dealer_and_leader(previous)
    created = MatchCreated(
        match_id=command.match_id,
        preset=previous.preset,
        rules=previous.rules,
        owner_id=previous.owner_id,
        visibility=previous.visibility,
        spectators=previous.spectators,
        invite_code=previous.invite_code,
        start_when_full=True,
        previous_match_id=previous.match_id,
        first_dealer=dealer,
        first_leader=leader,
        spectator_delay=previous.spectator_delay,
        admission=Admission(
            password=previous.admission.password,
            invite_lifetime=previous.admission.invite_lifetime,
        ),
    )
    staying = [
        PlayerJoined(seat, _seated_anew(player))
        for seat, player in enumerate(previous.seats)
        if player and not player.has_left
    ]
    is_full = len(staying) == len(previous.seats)
    return (created, *staying, *((MatchStarted(),) if is_full else ()))


def _seated_anew(player: Player) -> Player:
    """Return a player as one who has just sat down."""
    return replace(player, presence=Presence.CONNECTED, is_ready=False, is_invited=False)


def apply_rematch_event(match: Match, event: RematchEvent) -> Match:
    """Return the match after an event of its rematch."""
    match event:
        case RematchOffered(seat):
            return changed(match, rematch_wanted_by=(*match.rematch_wanted_by, seat))
        case RematchMade(match_id):
            return changed(match, next_match_id=match_id)


def rematch_ids(match: Match) -> Iterator[str]:
    """Yield the ids that the rematch of a match may have, the likeliest first; without an end.

    They follow from the match, so that making it again finds what was made before. A player may
    have taken one for a match of his own: then it is the next one.
    """
    for attempt in count():
        source = f"{match.match_id}\0{match.invite_code}\0{attempt}"
        yield hashlib.sha256(source.encode()).hexdigest()[:32]
