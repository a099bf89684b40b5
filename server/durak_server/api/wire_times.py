"""Moments and durations for answers."""

from datetime import UTC, datetime, timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_A_DAY: Final = 86_400


def wire_time(moment: datetime) -> Timestamp:
    """Return an aware moment, exact to the microsecond; many times faster than FromDatetime."""
    since = moment - _EPOCH
    return Timestamp(
        seconds=since.days * _SECONDS_A_DAY + since.seconds, nanos=since.microseconds * 1_000
    )


def wire_duration(span: timedelta) -> Duration:
    """Return a span of time that is not negative, exact to the microsecond."""
    return Duration(
        seconds=span.days * _SECONDS_A_DAY + span.seconds, nanos=span.microseconds * 1_000
    )
