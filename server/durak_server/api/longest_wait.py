"""One longest time for many waits, kept by a single timer: most are over at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class LongestWait:
    """Ends waits that last for longer than `seconds`.

    A timer for each would cost more than the wait, and asyncio keeps a hundred cancelled ones.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends: dict[asyncio.Timeout, float] = {}
        """When each has to end: in the order in which they began, which is the same."""
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def bounded(self) -> AsyncIterator[None]:
        """Run a block, for so long at most.

        Raises:
            TimeoutError: it was not over by then.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as wait:
            self._ends[wait] = loop.time() + self.seconds
            if self._timer is None:
                self._timer = loop.call_later(self.seconds, self._end_overdue)
            try:
                yield
            finally:
                self._ends.pop(wait, None)

    def _end_overdue(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for wait, end in list(self._ends.items()):
            if end > loop.time():
                self._timer = loop.call_at(end, self._end_overdue)
                return
            del self._ends[wait]
            wait.reschedule(loop.time())
