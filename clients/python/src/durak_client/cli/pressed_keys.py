"""Single keys of a terminal, as they are pressed."""

import asyncio
import codecs
import os
import re
import termios
import tty
from types import TracebackType
from typing import Self

# The keys with arrows come as several characters, in one of two forms.
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)


class PressedKeys:
    """Reads the keys of a terminal inside `async with`; Ctrl-C still interrupts."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        # Unbounded is safe: a person types into it.
        self._keys: asyncio.Queue[str | None] = asyncio.Queue()
        self._before = termios.tcgetattr(descriptor)

    async def next(self) -> str | None:
        """Return the next key, None once there will be none."""
        return await self._keys.get()

    async def __aenter__(self) -> Self:
        tty.setcbreak(self._descriptor)
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def _read(self) -> None:
        data = os.read(self._descriptor, 1024)
        for key in _KEY.findall(self._decoder.decode(data)):
            self._keys.put_nowait(key)
        if not data:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            self._keys.put_nowait(None)
