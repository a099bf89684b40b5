"""From errors of gRPC to the errors of this library."""

from collections.abc import Mapping
from types import MappingProxyType

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from durak_client.errors import (
    Denied,
    InvalidRequest,
    LimitReached,
    NotFound,
    Refusal,
    Refused,
    RuleRefused,
    Stale,
    Unauthenticated,
    Unavailable,
    Violation,
)
from durak_client.pb.durak.v1 import error_pb2

DOMAIN = "durak.v1"
_DETAILS = "grpc-status-details-bin"
_PUSHBACK = "grpc-retry-pushback-ms"

_KINDS: Mapping[grpc.StatusCode, type[Refused]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: Denied,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: RuleRefused,
    grpc.StatusCode.ABORTED: Stale,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitReached,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
}

_CODES: Mapping[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}

# The server gives none of these without a reason: they come from the network and its proxies. So
# does INTERNAL from gRPC itself, where a write meets the end of its stream and takes the place of
# the status that the server gave (https://github.com/grpc/grpc/issues/36066).
_FROM_THE_NETWORK = frozenset(
    {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL}
)


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """Return what the server meant; a code without a class of its own is a plain `Refused`."""
    refusal = _refusal(error)
    if refusal.code in _FROM_THE_NETWORK and not refusal.reason:
        return Unavailable(refusal)
    return _KINDS.get(refusal.code, Refused)(refusal)


def refused_by(message: error_pb2.Refusal) -> Refused:
    """Return what the server meant by a refusal inside an answer."""
    code = _CODES.get(message.code, grpc.StatusCode.UNKNOWN)
    has_delay = message.HasField("retry_delay")
    refusal = Refusal(
        code=code,
        reason=message.reason,
        message=message.message,
        metadata=MappingProxyType(dict(message.metadata)),
        violations=tuple(Violation(p.path, p.description) for p in message.problems),
        retry_seconds=message.retry_delay.ToMilliseconds() / 1000 if has_delay else None,
    )
    return _KINDS.get(code, Refused)(refusal)


def _refusal(error: grpc.aio.AioRpcError) -> Refusal:
    trailers = dict(error.trailing_metadata() or ())
    status = _status(trailers.get(_DETAILS))
    info = error_details_pb2.ErrorInfo()
    retry = error_details_pb2.RetryInfo()
    bad = error_details_pb2.BadRequest()
    for detail in status.details:
        # Unpack leaves the message alone if the detail is of another type.
        _ = detail.Unpack(info) or detail.Unpack(retry) or detail.Unpack(bad)
    return Refusal(
        code=error.code(),
        reason=info.reason if info.domain == DOMAIN else "",
        message=error.details() or "",
        metadata=MappingProxyType(dict(info.metadata)),
        violations=tuple(Violation(v.field, v.description) for v in bad.field_violations),
        retry_seconds=_retry_seconds(retry, trailers.get(_PUSHBACK)),
    )


def _status(details: str | bytes | None) -> status_pb2.Status:
    """Return the rich status, an empty one if there is none or a proxy spoilt it."""
    status = status_pb2.Status()
    if isinstance(details, bytes):
        try:
            status.ParseFromString(details)
        except DecodeError:
            return status_pb2.Status()
    return status


def _retry_seconds(
    retry: error_details_pb2.RetryInfo, pushback: str | bytes | None
) -> float | None:
    if retry.HasField("retry_delay"):
        return float(retry.retry_delay.ToMilliseconds() / 1000)
    text = pushback.decode() if isinstance(pushback, bytes) else pushback
    return int(text) / 1000 if text is not None and text.isdecimal() else None
