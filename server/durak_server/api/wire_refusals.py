"""Refusals inside answers."""

from datetime import timedelta

from durak_server.api.failures import CallFailed
from durak_server.api.wire_times import wire_duration
from durak_server.pb.durak.v1 import error_pb2 as pb


def wire_refusal(failure: CallFailed) -> pb.Refusal:
    """Return all that a failed call would tell, as a message."""
    code: int = failure.code.value[0]
    refusal = pb.Refusal(
        code=code,
        reason=failure.reason_name,
        message=failure.text,
        metadata=failure.metadata,
        problems=[
            pb.FieldProblem(path=path, description=text) for path, text in failure.violations
        ],
    )
    if failure.retry_after_ms is not None:
        delay = timedelta(milliseconds=failure.retry_after_ms)
        refusal.retry_delay.CopyFrom(wire_duration(delay))
    return refusal
