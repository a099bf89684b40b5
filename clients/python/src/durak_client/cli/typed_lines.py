"""Lines from standard input, whatever it is: a terminal, a pipe or a file."""

import asyncio
import contextlib
import sys
import threading
from concurrent.futures import CancelledError

_AHEAD = 1000


class TypedLines:
    """Reads lines in a thread, since files cannot be waited for by an event loop.

    The reader stops `_AHEAD` lines ahead of who reads them. The thread is a daemon: one blocked
    in a read must not keep the process.
    """

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line without its end, None after the last."""
        return await self._lines.get()

    def _read(self) -> None:
        # The loop may end while a line is on its way: then nobody waits for it.
        with contextlib.suppress(RuntimeError, CancelledError):
            for line in sys.stdin:
                self._put(line.rstrip("\r\n"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
