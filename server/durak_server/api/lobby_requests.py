"""What requests of the lobby ask for."""

from datetime import timedelta
from typing import Final

from durak_server.api.callers import Caller
from durak_server.api.failures import invalid_field
from durak_server.api.fresh_ids import MatchIds, fresh_invite_code
from durak_server.api.requests import (
    checked_match_id,
    checked_player_id,
    checked_request_id,
    checked_span,
    statuses_from_wire,
)
from durak_server.api.wire_enums import PRESETS, SPECTATORS, VISIBILITIES
from durak_server.api.wire_rules import options_from_wire, rules_from_wire
from durak_server.matches import Admission, CreateMatch, PasswordKey, Spectators, Visibility
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.rules import Preset
from durak_server.store import UNFINISHED, MatchQuery

_LONGEST_DELAY: Final = 3600
_SHORTEST_INVITE: Final = timedelta(minutes=1)
_LONGEST_INVITE: Final = timedelta(days=30)
_MOST_RESERVED: Final = 5
"""Of the largest match, all seats but the owner's."""


def create_command(
    request: pb.CreateMatchRequest,
    caller: Caller,
    match_ids: MatchIds,
    admission: Admission,
) -> CreateMatch:
    """Return the match that a request asks for.

    Raises:
        CallFailed: a field is malformed.
    """
    request_id = checked_request_id(request.request_id)
    preset = PRESETS.member(request.preset, "preset", Preset.PODKIDNOY)
    if request.match_id:
        match_id = checked_match_id(request.match_id)
    else:
        match_id = match_ids.fresh(caller.player_id, request_id)
    spectators = SPECTATORS.member(request.spectators, "spectators", Spectators.LIVE)
    return CreateMatch(
        player_id=caller.player_id,
        request_id=request_id,
        name=caller.name,
        match_id=match_id,
        invite_code=fresh_invite_code(),
        preset=preset,
        rules=rules_from_wire(preset, request.rules),
        visibility=VISIBILITIES.member(request.visibility, "visibility", Visibility.PUBLIC),
        spectators=spectators,
        spectator_delay=_spectator_delay(request.spectator_delay_seconds, spectators),
        start_when_full=request.start_when_full,
        admission=admission,
    )


def admission_wanted(
    request: pb.CreateMatchRequest, password: PasswordKey | None, usual_lifetime: timedelta
) -> Admission:
    """Return who shall get a seat; `password` is the key of the request's.

    Raises:
        CallFailed: a field is malformed.
    """
    player_ids = request.reserved_player_ids
    if len(player_ids) > _MOST_RESERVED:  # before each is looked at
        raise invalid_field(
            "reserved_player_ids", f"at most {_MOST_RESERVED} seats can be reserved"
        )
    return Admission(
        password=password,
        invite_lifetime=invite_lifetime(request, usual_lifetime),
        requires_ready=request.require_ready,
        reserved_for=tuple(checked_player_id(one, "reserved_player_ids") for one in player_ids),
        reserved_for_code=request.reserved_for_code,
    )


def invite_lifetime(
    request: pb.CreateMatchRequest | pb.RenewInviteRequest, usual: timedelta
) -> timedelta:
    """Return how long an invite code shall be taken.

    Raises:
        CallFailed: it is too short or too long.
    """
    if not request.HasField("invite_lifetime"):
        return usual
    return checked_span(
        request.invite_lifetime, "invite_lifetime", _SHORTEST_INVITE, _LONGEST_INVITE
    )


def quick_command(
    request: pb.QuickMatchRequest, caller: Caller, match_ids: MatchIds, admission: Admission
) -> CreateMatch:
    """Return the match to make for a player if nobody waits for him.

    Raises:
        CallFailed: a field is malformed.
    """
    asked = pb.CreateMatchRequest(
        request_id=request.request_id,
        preset=request.preset,
        rules=request.rules,
        start_when_full=True,
    )
    return create_command(asked, caller, match_ids, admission)


def _spectator_delay(seconds: int, spectators: Spectators) -> timedelta:
    shortest, longest = (1, _LONGEST_DELAY) if spectators is Spectators.DELAYED else (0, 0)
    if not shortest <= seconds <= longest:
        problem = f"must be 1 to {_LONGEST_DELAY} for delayed spectators, else 0"
        raise invalid_field("spectator_delay_seconds", problem)
    return timedelta(seconds=seconds)


def match_query(filter_: pb.MatchFilter) -> MatchQuery:
    """Return which matches a filter lets through.

    Raises:
        CallFailed: a field is malformed.
    """
    return MatchQuery(
        statuses=statuses_from_wire(filter_.statuses, "filter.statuses"),
        presets=PRESETS.members(filter_.presets, "filter.presets"),
        options=tuple(options_from_wire(filter_.rules).items()),
        has_free_seat=filter_.has_free_seat,
        has_no_password=filter_.has_no_password,
    )


def watched_query(filter_: pb.MatchFilter) -> MatchQuery:
    """Return which matches of the lobby a filter lets through, none that is over.

    Raises:
        CallFailed: a field is malformed, or asks for what is over.
    """
    query = match_query(filter_)
    if not query.statuses <= UNFINISHED:
        raise invalid_field("filter.statuses", "must be OPEN or PLAYING")
    return query
