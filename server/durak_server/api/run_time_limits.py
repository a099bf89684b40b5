"""Rates that the operator changes while the server runs."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from durak_server.api.failures import invalid_field
from durak_server.api.token_bucket import TokenBuckets
from durak_server.pb.durak.v1 import admin_service_pb2 as pb

_MOST: Final = 1e6
_MOST_NAMED: Final = 2
"""So many times as many changes as there are rates may come at once."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One rate: its buckets, of how many seconds a burst is, and what the settings say."""

    buckets: TokenBuckets
    burst_seconds: float
    configured: float


class RunTimeLimits:
    """The rates by the names of their settings; a restart brings the settings' values back."""

    def __init__(self, rates: Mapping[str, Rate]) -> None:
        self._rates = rates

    def listed(self) -> list[pb.RateLimit]:
        """Return all rates as they are now, in the order of their names."""
        return [
            pb.RateLimit(
                name=name,
                per_second=rate.buckets.per_second,
                burst=rate.buckets.burst,
                configured_per_second=rate.configured,
            )
            for name, rate in sorted(self._rates.items())
        ]

    def checked(self, changes: Collection[pb.RateChange]) -> Mapping[str, float]:
        """Return the rates that are asked for, by name.

        Raises:
            CallFailed: a name is unknown, a number is out of its bounds, or they are too many.
        """
        most = _MOST_NAMED * len(self._rates)
        if len(changes) > most:  # before each is looked at
            raise invalid_field("changes", f"must be at most {most}")
        wanted = {change.name: change.per_second for change in changes}
        for name, per_second in wanted.items():
            if name not in self._rates:
                raise invalid_field("changes.name", f"must be of {', '.join(sorted(self._rates))}")
            if not (math.isfinite(per_second) and 0 < per_second <= _MOST):
                raise invalid_field("changes.per_second", f"must be more than 0, at most {_MOST:g}")
        return wanted

    def change(self, wanted: Mapping[str, float]) -> None:
        """Change these rates, which were checked."""
        for name, per_second in wanted.items():
            rate = self._rates[name]
            rate.buckets.set_rate(per_second, burst_of(per_second, rate.burst_seconds))


def burst_of(per_second: float, seconds: float) -> float:
    """Return how many calls may come at once: so many seconds' worth, at least one."""
    return max(1.0, per_second * seconds)
