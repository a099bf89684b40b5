"""How a call fails: one exception, which the outermost layer turns into a status."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

import grpc

from durak_server.api.reasons import CODES, WIRE_REASONS
from durak_server.matches import MatchReason, MatchRefusal
from durak_server.pb.durak.v1.error_pb2 import ErrorReason
from durak_server.rules import Reason

PREFIX: Final = "ERROR_REASON_"

# Seconds to wait before another attempt, where waiting helps.
_RETRY_AFTER: Final[Mapping[ErrorReason.ValueType, float]] = {
    ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE: 60.0,
    ErrorReason.ERROR_REASON_TOO_MANY_MATCHES: 30.0,
    ErrorReason.ERROR_REASON_TOO_MANY_STREAMS: 10.0,
    ErrorReason.ERROR_REASON_MATCH_BUSY: 0.1,
    ErrorReason.ERROR_REASON_WATCHER_TOO_SLOW: 1.0,
    ErrorReason.ERROR_REASON_RATE_LIMITED: 1.0,
    ErrorReason.ERROR_REASON_SHUTTING_DOWN: 0.5,
    ErrorReason.ERROR_REASON_KEYS_MISSING: 5.0,
    ErrorReason.ERROR_REASON_STORE_UNAVAILABLE: 1.0,
}


class CallFailed(Exception):
    """The call is refused, and nothing has changed.

    `metadata` are the facts; `violations` pairs of a field and what is wrong with it, for
    INVALID_ARGUMENT only. `retry_after_seconds` is None where waiting does not help.
    """

    def __init__(
        self,
        reason: ErrorReason.ValueType,
        text: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: Iterable[tuple[str, str]] = (),
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text
        self.metadata = dict(metadata or {})
        self.violations = tuple(violations)
        if retry_after_seconds is None:
            retry_after_seconds = _RETRY_AFTER.get(reason)
        self.retry_after_seconds = retry_after_seconds

    @property
    def code(self) -> grpc.StatusCode:
        """The status code that belongs to the reason."""
        return CODES.get(self.reason, grpc.StatusCode.FAILED_PRECONDITION)

    @property
    def retry_after_ms(self) -> int | None:
        """How long to wait, in whole milliseconds that are no less, at least 1; None: see there."""
        if self.retry_after_seconds is None:
            return None
        return max(1, math.ceil(self.retry_after_seconds * 1000))

    @property
    def reason_name(self) -> str:
        """The reason as clients see it, such as MATCH_FULL."""
        return ErrorReason.Name(self.reason).removeprefix(PREFIX)


def invalid_field(field: str, text: str) -> CallFailed:
    """Return the failure of a request with one malformed field."""
    return invalid_fields([(field, text)])


def invalid_fields(violations: Iterable[tuple[str, str]]) -> CallFailed:
    """Return the failure of a request with malformed fields, at least one; one violation each."""
    problems: dict[str, str] = {}
    for field, problem in violations:
        problems[field] = f"{problems[field]}; {problem}" if field in problems else problem
    text = "; ".join(
        f"{field}: {problem}" if field else problem for field, problem in problems.items()
    )
    return CallFailed(ErrorReason.ERROR_REASON_INVALID_FIELD, text, violations=problems.items())


def too_many_streams(limit: str, text: str) -> CallFailed:
    """Return the failure of a stream that is one too many, by the limit of that name."""
    return CallFailed(ErrorReason.ERROR_REASON_TOO_MANY_STREAMS, text, metadata={"limit": limit})


def match_not_found() -> CallFailed:
    """Return the failure of a call on a match that does not exist for the caller."""
    return refused(MatchRefusal(MatchReason.MATCH_NOT_FOUND))


def refused(refusal: MatchRefusal) -> CallFailed:
    """Return the failure that tells of a match's or the rules' refusal."""
    if refusal.reason is MatchReason.INVALID_FIELD:
        return invalid_fields(refusal.facts)
    if refusal.reason is Reason.MALFORMED_MOVE:
        return invalid_field("move", refusal.text)
    return CallFailed(WIRE_REASONS[refusal.reason], refusal.text, metadata=dict(refusal.facts))
