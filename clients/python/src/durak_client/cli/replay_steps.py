"""A replay on the whole terminal, one step for each key."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable

from rich.console import Console
from rich.live import Live

from durak_client.cli.pressed_keys import PressedKeys
from durak_client.cli.replay_place import KEYS, Key, Place
from durak_client.cli.replay_screen import draw_replay
from durak_client.replay import Replay
from durak_client.view import View


class ReplaySteps:
    """Shows the place where one stands and goes where keys lead, until one quits.

    `look` gives the view from a place.
    """

    def __init__(
        self, replay: Replay, look: Callable[[Place], Awaitable[View]], place: Place
    ) -> None:
        self._replay = replay
        self._look = look
        self._place = place
        self._view: View | None = None
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, screen=True, auto_refresh=False)

    async def run(self) -> None:
        """Take keys until `q`, Ctrl-D or the end of input."""
        loop = asyncio.get_running_loop()
        with self._live:
            loop.add_signal_handler(signal.SIGWINCH, self._draw)
            try:
                async with PressedKeys(sys.stdin.fileno()) as keys:
                    await self._go_to(self._place)
                    while (key := await keys.next()) is not None and KEYS.get(key) != Key.QUIT:
                        await self._go_to(self._led_to(key))
            finally:
                loop.remove_signal_handler(signal.SIGWINCH)

    async def _go_to(self, place: Place) -> None:
        if place != self._place or self._view is None:
            self._view = await self._look(place)
            self._place = place
        self._draw()

    def _led_to(self, key: str) -> Place:
        """Return where a key leads; one without a meaning leads nowhere."""
        if key in KEYS:
            return self._place.after(KEYS[key], self._replay)
        if key in "123456":
            return self._place.from_seat(int(key) - 1, self._replay)
        return self._place

    def _draw(self) -> None:
        if self._view is not None:
            screen = draw_replay(self._replay, self._place, self._view, *self._console.size)
            self._live.update(screen, refresh=True)
