"""Which log lines are written when there are too many of one kind."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class _Kind:
    second: int
    written: int = 0
    left_out: int = 0


class LineSampler:
    """Lets so many lines of each kind through in each second, and counts the others.

    Args:
        per_second: at least 1.
        clock: seconds that only go forward.
    """

    def __init__(self, per_second: int, clock: Callable[[], float]) -> None:
        self._per_second = per_second
        self._clock = clock
        self._kinds: dict[str, _Kind] = {}

    def admit(self, kind: str) -> int | None:
        """Return how many lines were left out since the last one, or None to leave this one out.

        Kinds are remembered for ever, so a caller must not be able to make one up.
        """
        second = int(self._clock())
        seen = self._kinds.setdefault(kind, _Kind(second))
        if seen.second != second:
            seen.second, seen.written = second, 0
        if seen.written >= self._per_second:
            seen.left_out += 1
            return None
        left_out, seen.left_out = seen.left_out, 0
        seen.written += 1
        return left_out
