"""A line of input edited key by key, so that the screen can be drawn anew while one types."""

import asyncio
import codecs
import os
import re
import termios
import tty
from collections.abc import Callable

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?")
_ENTER, _ERASE, _CLEAR, _END = "\r\n", "\x7f\b", "\x15", "\x04"
_LONGEST = 60


class LineEditor:
    """The line being typed: characters, erase (Backspace), clear (Ctrl-U), end (Ctrl-D)."""

    def __init__(self) -> None:
        self.typed = ""

    def feed(self, keys: str) -> list[str | None]:
        """Take keys; return the lines they finished, None for the end of input."""
        finished: list[str | None] = []
        for key in _ESCAPE_SEQUENCE.sub("", keys):
            if key in _ENTER:
                finished.append(self.typed)
                self.typed = ""
            elif key in _ERASE:
                self.typed = self.typed[:-1]
            elif key == _CLEAR:
                self.typed = ""
            elif key == _END:
                finished.append(None)
            elif key.isprintable() and len(self.typed) < _LONGEST:
                self.typed += key
        return finished


class TypedKeys:
    """Reads the keys of a terminal; `on_key` is called after each change of what is typed."""

    def __init__(self, descriptor: int, on_key: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_key = on_key
        self._editor = LineEditor()
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        # Unbounded is safe: a person types into it.
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._before = termios.tcgetattr(descriptor)

    @property
    def typed(self) -> str:
        """What stands at the prompt."""
        return self._editor.typed

    def start(self) -> None:
        """Take the keys as they are pressed and echo none; Ctrl-C still interrupts."""
        tty.setcbreak(self._descriptor)
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)

    def stop(self) -> None:
        """Leave the terminal as it was found."""
        asyncio.get_running_loop().remove_reader(self._descriptor)
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    async def next(self) -> str | None:
        """Return the next finished line, None for the end of input."""
        return await self._lines.get()

    def _read(self) -> None:
        data = os.read(self._descriptor, 1024)
        lines = self._editor.feed(self._decoder.decode(data)) if data else [None]
        if not data:
            asyncio.get_running_loop().remove_reader(self._descriptor)
        for line in lines:
            self._lines.put_nowait(line)
        self._on_key()
