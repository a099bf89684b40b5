"""Lines from standard input, whatever it is: a terminal, a pipe or a file."""

import asyncio
import contextlib
import sys
import threading

_AHEAD = 1000


class TypedLines:
    """Reads lines in a thread, since files cannot be waited for by an event loop.

    The reader stops `_AHEAD` lines ahead of who reads them. The thread is a daemon: one blocked
    in a read must not keep the process.
    """

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line without its end, None after the last."""
        line = await self._lines.get()
        self._room.release()
        return line

    def _read(self) -> None:
        # The loop may end while a line is on its way: then nobody waits for it.
        with contextlib.suppress(RuntimeError):
            for line in sys.stdin:
                self._put(line.rstrip("\r\n"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
