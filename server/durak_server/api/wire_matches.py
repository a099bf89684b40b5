"""Matches and seats for answers."""

from collections.abc import Sequence

from durak_server.api.wire_enums import (
    BOT_LEVELS,
    PLAYER_KINDS,
    PRESENCES,
    PRESETS,
    SPECTATORS,
    STATUSES,
    VISIBILITIES,
)
from durak_server.api.wire_rules import wire_rules
from durak_server.api.wire_times import wire_time
from durak_server.matches import MatchSummary, Player, as_listed
from durak_server.pb.durak.v1 import match_pb2


def wire_listed(summary: MatchSummary, viewer_id: str) -> match_pb2.MatchInfo:
    """Return what a list of matches tells a player of one."""
    return wire_info(as_listed(summary, viewer_id), viewer_id)


def wire_info(summary: MatchSummary, viewer_id: str) -> match_pb2.MatchInfo:
    """Return what the lobby tells a player of a match; the code only if he sits at it."""
    info = match_pb2.MatchInfo(
        match_id=summary.match_id,
        status=STATUSES[summary.status],
        preset=PRESETS[summary.preset],
        rules=wire_rules(summary.rules),
        seats=wire_seats(summary.seats, summary.times_fool),
        owner_id=summary.owner_id,
        visibility=VISIBILITIES[summary.visibility],
        spectators=SPECTATORS[summary.spectators],
        sequence=summary.sequence,
        created_at=wire_time(summary.created_at),
        updated_at=wire_time(summary.updated_at),
        deal=summary.deal,
        previous_match_id=summary.previous_match_id,
        next_match_id=summary.next_match_id,
        has_password=summary.admission.password is not None,
        require_ready=summary.admission.requires_ready,
        reserved_seats=summary.reserved_seats,
        spectator_delay_seconds=int(summary.spectator_delay.total_seconds()),
    )
    if any(_is_active(player, viewer_id) for player in summary.seats):
        info.invite_code = summary.invite_code
        if summary.invite_expires_at:
            info.invite_expires_at.CopyFrom(wire_time(summary.invite_expires_at))
    return info


def wire_seats(seats: Sequence[Player | None], times_fool: Sequence[int]) -> list[match_pb2.Seat]:
    """Return all seats in order, free ones too."""
    return [
        wire_seat(number, player, fool)
        for number, (player, fool) in enumerate(zip(seats, times_fool, strict=True))
    ]


def wire_seat(number: int, player: Player | None, times_fool: int = 0) -> match_pb2.Seat:
    """Return one seat and who is on it."""
    if player is None:
        return match_pb2.Seat(seat=number)
    seat = match_pb2.Seat(
        seat=number,
        kind=PLAYER_KINDS[player.kind],
        player_id=player.player_id,
        name=player.name,
        has_left=player.has_left,
        times_fool=times_fool,
        is_ready=player.is_ready,
    )
    if player.bot_level:
        seat.bot_level = BOT_LEVELS[player.bot_level]
    elif player.has_left:
        seat.presence = match_pb2.PRESENCE_LEFT
    else:
        seat.presence = PRESENCES[player.presence]
    return seat


def _is_active(player: Player | None, player_id: str) -> bool:
    return player is not None and player.player_id == player_id and not player.has_left
