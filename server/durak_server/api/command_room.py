"""How many commands of one stream may be unanswered, and how large they may be together."""

import asyncio
from typing import Final

MOST_COMMANDS: Final = 256
MOST_BYTES: Final = 65_536


class CommandRoom:
    """Room for commands that were read and not answered yet.

    A command that is larger than all of it has it to itself.
    """

    def __init__(self) -> None:
        self._commands = 0
        self._bytes = 0
        self._has_more = asyncio.Event()

    async def enter(self, size: int) -> None:
        """Return as soon as there is room for a command of so many bytes, which it then takes."""
        while self._commands and not self._has_room_for(size):
            self._has_more.clear()
            await self._has_more.wait()
        self._commands += 1
        self._bytes += size

    def leave(self, size: int) -> None:
        """Give the room of a command back."""
        self._commands -= 1
        self._bytes -= size
        self._has_more.set()

    def _has_room_for(self, size: int) -> bool:
        return self._commands < MOST_COMMANDS and self._bytes + size <= MOST_BYTES
