"""How many streams somebody may have open at a time."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from durak_server.api.failures import CallFailed
from durak_server.pb.durak.v1 import error_pb2 as pb


class StreamCount:
    """Counts the open streams of each key, up to `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_of(self, key: str, whose: str) -> Iterator[None]:
        """Count one more while it is open; `whose` begins the text of the refusal.

        Raises:
            CallFailed: there are as many as there may be.
        """
        if self._open[key] >= self._most:
            raise CallFailed(
                pb.ERROR_REASON_TOO_MANY_STREAMS,
                f"{whose} has {self._most} streams open, the most there may be.",
            )
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
