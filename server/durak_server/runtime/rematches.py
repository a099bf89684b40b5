"""The match after a finished one: made once all its players want it, then announced to them."""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable

from durak_server.matches import AnnounceRematch, MakeRematch, MatchRefusal, rematch_ids
from durak_server.observe.logs import logger
from durak_server.runtime.live_match import LiveMatch

_log = logger(__name__)


class Rematches:
    """Makes every rematch that is awaited, in tasks of its own: no call can cut one in half.

    `open_match` returns a match in memory, perhaps one that is not made yet. The rematch is made
    before it is announced, so that nobody hears of a match that is not there. What fails, or is
    cut off by a crash, is done again when the finished match is next looked at: the ids are the
    same then.
    """

    def __init__(self, open_match: Callable[[str], Awaitable[LiveMatch]]) -> None:
        self._open_match = open_match
        self._making: dict[str, asyncio.Task[None]] = {}

    def attend(self, live: LiveMatch) -> None:
        """Look at a match that was loaded or has changed."""
        if live.history.match and live.history.match.awaits_rematch:
            self._begin(live)

    async def make(self, live: LiveMatch) -> None:
        """Return once the rematch of a match that awaits one is made and announced.

        Raises:
            RuntimeRefusal, StoreError, LogLost: it is not, or not yet.
        """
        if live.match.awaits_rematch:
            await asyncio.shield(self._begin(live))

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.gather(*self._making.values(), return_exceptions=True)

    def _begin(self, live: LiveMatch) -> asyncio.Task[None]:
        making = self._making.get(live.match_id)
        if making is None:
            # A context of its own: the call that led here is not its subject.
            making = asyncio.create_task(
                self._make(live), name=f"rematch {live.match_id}", context=contextvars.Context()
            )
            self._making[live.match_id] = making
            making.add_done_callback(lambda done: self._finished(live.match_id, done))
        return making

    async def _make(self, live: LiveMatch) -> None:
        for match_id in rematch_ids(live.match):
            following = await self._open_match(match_id)
            answer = await following.submit(MakeRematch(match_id, live.match))
            if not isinstance(answer, MatchRefusal):
                await live.submit(AnnounceRematch(match_id))
                return

    def _finished(self, match_id: str, making: asyncio.Task[None]) -> None:
        del self._making[match_id]
        if not making.cancelled() and (error := making.exception()):
            _log.error("a rematch could not be made", match=match_id, exc_info=error)
