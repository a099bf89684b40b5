"""A verdict that a moment does not change."""

import threading
from collections.abc import Callable


class SteadyVerdict:
    """Follows what it is told once it was told the same for `seconds`; the first time at once.

    A store that is busy for a moment, or comes and goes, would otherwise send all clients away and
    back again. May be told from any thread; `clock` gives seconds that only go forward.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._verdict: bool | None = None
        self._doubted_at: float | None = None
        self._lock = threading.Lock()

    def told(self, *, holds: bool) -> bool:
        """Return the verdict now that it was said once more whether something holds."""
        with self._lock:
            if self._verdict in (None, holds):
                self._doubted_at = None
                self._verdict = holds
                return holds
            now = self._clock()
            self._doubted_at = now if self._doubted_at is None else self._doubted_at
            if now - self._doubted_at < self._seconds:
                return not holds
            self._verdict, self._doubted_at = holds, None
            return holds
