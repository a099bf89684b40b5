"""Moments for answers."""

from datetime import UTC, datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_A_DAY: Final = 86_400


def wire_time(moment: datetime) -> Timestamp:
    """Return an aware moment, exact to the microsecond; many times faster than FromDatetime."""
    since = moment - _EPOCH
    return Timestamp(
        seconds=since.days * _SECONDS_A_DAY + since.seconds, nanos=since.microseconds * 1_000
    )
