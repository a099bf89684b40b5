"""Matches that are still to be told who is here."""

import asyncio
import contextvars
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from durak_server.runtime.live_match import LiveMatch

_AT_ONCE: Final = 16
"""Matches told at a time; more would keep those waiting who call."""


class PresenceNotes:
    """Lets few matches be told at a time, and takes players in turn.

    So who sits at a thousand delays neither the calls of others nor what is told of them.

    Args:
        tell: tells a match how a player is by then; must not raise.
    """

    def __init__(self, tell: Callable[[LiveMatch, str], Awaitable[None]]) -> None:
        self._tell = tell
        self._waiting: OrderedDict[str, OrderedDict[LiveMatch, None]] = OrderedDict()
        """The matches to be told of each player, in order; who is first is next."""
        self._workers: set[asyncio.Task[None]] = set()
        self._at_work = 0

    def add(self, live: LiveMatch, player_id: str) -> None:
        """Have a match told of a player; once is enough, however often he changes until then."""
        self._waiting.setdefault(player_id, OrderedDict())[live] = None
        if self._at_work == _AT_ONCE:
            return
        self._at_work += 1
        # A context of its own: the call that led here may be somebody else's.
        worker = asyncio.create_task(
            self._tell_each(), name="presence", context=contextvars.Context()
        )
        self._workers.add(worker)
        worker.add_done_callback(self._workers.discard)

    async def close(self) -> None:
        """Forget what waits; return once what is being told has been."""
        self._waiting.clear()
        await asyncio.gather(*self._workers)

    async def _tell_each(self) -> None:
        """Tell matches until none waits."""
        while self._waiting:
            await self._tell(*self._next())
        self._at_work -= 1

    def _next(self) -> tuple[LiveMatch, str]:
        player_id, tables = self._waiting.popitem(last=False)
        live, _ = tables.popitem(last=False)
        if tables:
            self._waiting[player_id] = tables
        return live, player_id
