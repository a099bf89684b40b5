"""How fast one caller may call: a token bucket each (a burst, then a steady rate)."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

_MOST_CALLERS: Final = 50_000


class TokenBuckets:
    """A bucket for each key, full at first and for those not seen lately.

    Args:
        per_second: how many calls flow in, sustained.
        burst: how many a full bucket holds.
        clock: seconds that only go forward.
    """

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float]) -> None:
        self.per_second = per_second
        self.burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def set_rate(self, per_second: float, burst: float) -> None:
        """Let calls flow in at another rate from now on; what is in a bucket stays, up to `burst`.

        What has flowed in since somebody's last call counts at the new rate.
        """
        self.per_second = per_second
        self.burst = burst

    def wait_seconds(self, key: str) -> float:
        """Return the seconds until there will be a call; 0 if there is one."""
        return max(0.0, (1 - self._level(key, self._clock())) / self.per_second)

    def charge(self, key: str, calls: int = 1) -> None:
        """Take so many calls out, there or not; what is missing is owed, below 0 is given back."""
        now = self._clock()
        self._buckets[key] = (self._level(key, now) - calls, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_CALLERS:
            # Who called longest ago has the fullest bucket: forgetting it gives him least.
            self._buckets.popitem(last=False)

    def _level(self, key: str, now: float) -> float:
        level, at = self._buckets.get(key, (self.burst, now))
        return min(self.burst, level + (now - at) * self.per_second)
