"""A match drawn on the whole terminal."""

import asyncio
import signal
import sys
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live

from durak_client.cards import Card
from durak_client.cli.scene import Scene
from durak_client.cli.screen import draw
from durak_client.cli.typed_keys import TypedKeys

_TICK_SECONDS = 0.5
"""How often a running clock is drawn anew."""


class DrawnFront:
    """Draws every scene on the terminal's second screen, which vanishes at the end."""

    is_interactive = True
    stays = False

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._keys = TypedKeys(sys.stdin.fileno(), self._refresh)
        self._scene = Scene()
        self._tick: asyncio.TimerHandle | None = None

    def show_card(self, card: Card) -> str:
        """Return a card as it is printed."""
        return str(card)

    def show(self, scene: Scene) -> None:
        """Draw the scene."""
        self._scene = scene
        self._refresh()

    async def read_line(self) -> str | None:
        """Return the next line typed, None after Ctrl-D."""
        return await self._keys.next()

    async def __aenter__(self) -> Self:
        self._live.start()
        self._keys.start()
        asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, self._refresh)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGWINCH)
        self._stop_ticking()
        self._keys.stop()
        self._live.stop()

    def _refresh(self) -> None:
        width, height = self._console.size
        scene = replace(self._scene, now=datetime.now(UTC))
        self._live.update(draw(scene, self._keys.typed, width, height), refresh=True)
        self._stop_ticking()
        if scene.has_clock:
            self._tick = asyncio.get_running_loop().call_later(_TICK_SECONDS, self._refresh)

    def _stop_ticking(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
