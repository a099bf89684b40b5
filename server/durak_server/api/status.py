"""Failures as rich statuses: google.rpc.Status with ErrorInfo, BadRequest and RetryInfo."""

from typing import Final

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as details_pb
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from durak_server.api.failures import CallFailed

DOMAIN: Final = "durak.v1"
DETAILS: Final = "grpc-status-details-bin"
PUSHBACK: Final = "grpc-retry-pushback-ms"

Trailers = tuple[tuple[str, str | bytes], ...]


def trailers(failure: CallFailed) -> Trailers:
    """Return the trailing metadata that tells a client all about a failure."""
    rich: Trailers = ((DETAILS, _status(failure).SerializeToString()),)
    if failure.retry_after_ms is None:
        return rich
    # Client libraries retry by themselves after this many milliseconds.
    return (*rich, (PUSHBACK, str(failure.retry_after_ms)))


def _status(failure: CallFailed) -> Status:
    details: list[Message] = [
        details_pb.ErrorInfo(reason=failure.reason_name, domain=DOMAIN, metadata=failure.metadata)
    ]
    if failure.violations:
        details.append(_bad_request(failure.violations))
    if failure.retry_after_ms is not None:
        retry = details_pb.RetryInfo()
        retry.retry_delay.FromMilliseconds(failure.retry_after_ms)
        details.append(retry)
    return Status(
        code=Code.Value(failure.code.name),
        message=failure.text,
        details=[_packed(detail) for detail in details],
    )


def _packed(message: Message) -> Any:
    packed = Any()
    packed.Pack(message)
    return packed


def _bad_request(violations: tuple[tuple[str, str], ...]) -> details_pb.BadRequest:
    return details_pb.BadRequest(
        field_violations=[
            details_pb.BadRequest.FieldViolation(field=field, description=text)
            for field, text in violations
        ]
    )
