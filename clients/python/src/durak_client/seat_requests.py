"""What the calls that seat a player ask for."""

from collections.abc import Mapping

from durak_client.admission import Admission
from durak_client.identifiers import new_match_id, new_request_id
from durak_client.matches import Option, Preset, Spectators, Visibility
from durak_client.pb.durak.v1 import lobby_service_pb2, match_pb2, rules_pb2
from durak_client.rule_options import to_rule_set
from durak_client.wire_model import to_duration


def create_request(
    preset: str | Preset,
    options: Mapping[str, Option],
    *,
    visibility: str | Visibility,
    spectators: str | Spectators,
    spectator_delay_seconds: int,
    start_when_full: bool,
    admission: Admission,
) -> lobby_service_pb2.CreateMatchRequest:
    """Return the request for a match with an id of the client's choice.

    Raises:
        ValueError: something has no such name.
    """
    return lobby_service_pb2.CreateMatchRequest(
        request_id=new_request_id(),
        match_id=new_match_id(),
        preset=rules_pb2.Preset.ValueType(Preset.named(preset)),
        rules=to_rule_set(options),
        visibility=match_pb2.Visibility.ValueType(Visibility.named(visibility)),
        spectators=match_pb2.Spectators.ValueType(Spectators.named(spectators)),
        spectator_delay_seconds=spectator_delay_seconds,
        start_when_full=start_when_full,
        password=admission.password,
        require_ready=admission.require_ready,
        reserved_player_ids=admission.reserved_for,
        reserved_for_code=admission.reserved_for_code,
        invite_lifetime=to_duration(admission.invite_lifetime),
    )


def quick_request(
    preset: str | Preset, options: Mapping[str, Option], seed: bytes
) -> lobby_service_pb2.QuickMatchRequest:
    """Return the request for a seat at any match of these rules.

    Raises:
        ValueError: something has no such name.
    """
    return lobby_service_pb2.QuickMatchRequest(
        request_id=new_request_id(),
        preset=rules_pb2.Preset.ValueType(Preset.named(preset)),
        rules=to_rule_set(options),
        seed=seed,
    )


def join_request(
    match_id: str, invite_code: str, seat: int | None, seed: bytes, password: str
) -> lobby_service_pb2.JoinMatchRequest:
    """Return the request for a seat at a match named by its code, else by its id."""
    request = lobby_service_pb2.JoinMatchRequest(request_id=new_request_id(), seat=seat, seed=seed)
    if invite_code:
        request.invite_code = invite_code
    else:
        request.match_id = match_id
        request.password = password
    return request
