"""How many streams, or matches followed on them, somebody may have at a time."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from durak_server.api.failures import too_many_streams


class StreamCount:
    """Counts what is open of each key, up to `most`.

    `limit` is the name of the limit, that of its setting where it has one, and `what` is what is
    counted: told to those refused.
    """

    def __init__(self, limit: str, most: int, what: str = "streams open") -> None:
        self._limit = limit
        self._most = most
        self._what = what
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_of(self, key: str, whose: str, purpose: str = "") -> Iterator[None]:
        """Count one more while it is open; `whose` and `purpose` go into the text of the refusal.

        Raises:
            CallFailed: there are as many as there may be.
        """
        if self._open[key] >= self._most:
            raise too_many_streams(
                self._limit,
                f"{whose} has {self._most} {self._what}{purpose}, the most there may be.",
            )
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
