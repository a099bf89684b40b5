"""Reasons of the wire, the reasons of ours that they stand for, and their status codes."""

from collections.abc import Mapping
from typing import Final

from grpc import StatusCode

from durak_server.matches import MatchReason
from durak_server.pb.durak.v1 import error_pb2 as pb
from durak_server.pb.durak.v1.error_pb2 import ErrorReason
from durak_server.rules import Reason

# The engine tells some cases apart that are one reason to a client.
_RENAMED: Final[Mapping[Reason, str]] = {
    Reason.NOT_IN_PLAY: "SEAT_OUT",
    Reason.MALFORMED_MOVE: "INVALID_FIELD",
    Reason.NO_CARDS_NAMED: "WRONG_CARD_COUNT",
    Reason.ONE_CARD_ONLY: "WRONG_CARD_COUNT",
    Reason.ALREADY_LED: "ATTACK_MADE",
    Reason.NO_CARDS_LEFT: "NOT_YOUR_TURN",
    Reason.NOT_ALL_COVERED: "CARDS_UNCOVERED",
    Reason.TARGET_NOT_ON_TABLE: "TARGET_NOT_OPEN",
    Reason.TARGET_COVERED: "TARGET_NOT_OPEN",
    Reason.NOTHING_TO_TAKE: "NOT_YOUR_TURN",
    Reason.NOT_YOUR_CARD: "NOT_RETRACTABLE",
    Reason.CARD_IS_FINAL: "NOT_RETRACTABLE",
    Reason.HAND_NOT_UNIFORM: "NO_REDEAL_RIGHT",
}


def _wire_reason(reason: MatchReason | Reason) -> ErrorReason.ValueType:
    name = _RENAMED.get(reason, reason.value) if isinstance(reason, Reason) else reason.value
    return ErrorReason.Value(f"ERROR_REASON_{name}")


WIRE_REASONS: Final[Mapping[MatchReason | Reason, ErrorReason.ValueType]] = {
    reason: _wire_reason(reason) for reason in (*MatchReason, *Reason)
}

CODES: Final[Mapping[ErrorReason.ValueType, StatusCode]] = {
    pb.ERROR_REASON_INVALID_FIELD: StatusCode.INVALID_ARGUMENT,
    pb.ERROR_REASON_MESSAGE_TOO_LARGE: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_TOKEN_MISSING: StatusCode.UNAUTHENTICATED,
    pb.ERROR_REASON_TOKEN_INVALID: StatusCode.UNAUTHENTICATED,
    pb.ERROR_REASON_TOKEN_EXPIRED: StatusCode.UNAUTHENTICATED,
    pb.ERROR_REASON_MATCH_NOT_FOUND: StatusCode.NOT_FOUND,
    pb.ERROR_REASON_MATCH_EXISTS: StatusCode.ALREADY_EXISTS,
    pb.ERROR_REASON_NOT_SEATED: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_NOT_OWNER: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_SPECTATORS_REFUSED: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_PLAYER_BANNED: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_SCOPE_MISSING: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_PLAYER_REMOVED: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_PASSWORD_WRONG: StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_STALE_SEQUENCE: StatusCode.ABORTED,
    pb.ERROR_REASON_SEQUENCE_AHEAD: StatusCode.OUT_OF_RANGE,
    pb.ERROR_REASON_TOO_MANY_MATCHES: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_TOO_MANY_STREAMS: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_MATCH_BUSY: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_WATCHER_TOO_SLOW: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_RATE_LIMITED: StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_KEYS_MISSING: StatusCode.UNAVAILABLE,
    pb.ERROR_REASON_SHUTTING_DOWN: StatusCode.UNAVAILABLE,
    pb.ERROR_REASON_STORE_UNAVAILABLE: StatusCode.UNAVAILABLE,
    pb.ERROR_REASON_INTERNAL: StatusCode.INTERNAL,
}
"""The codes of all reasons but those with which a match or the rules forbid something now."""
