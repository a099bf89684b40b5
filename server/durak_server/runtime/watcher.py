"""One follower of a match: a cursor into its log, and no queue."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from durak_server.runtime.errors import RuntimeRefusal, SequenceAhead, WatcherTooSlow
from durak_server.runtime.surroundings import Surroundings
from durak_server.runtime.timekeeper import Reminder

if TYPE_CHECKING:
    from durak_server.runtime.live_match import LiveMatch


class Watcher:
    """Knows how far its reader has got. Get one by `LiveMatch.watch`.

    A reader who sees the match late is woken when he may know of the next event, and neither
    before nor for anything else: what he hears, and when, tells him nothing of the present.
    """

    def __init__(
        self,
        live: "LiveMatch",
        after: int,
        player_id: str,
        around: Surroundings,
        on_news: Callable[[], None],
    ) -> None:
        self.live = live
        self.sequence = 0
        """The last event handed over."""
        self.outlook = live.outlook(player_id)
        """What the reader may know; looked at anew whenever that may have changed."""
        self._player_id = player_id
        self._limits = around.limits
        self._has_caught_up = False
        self._news = asyncio.Event()
        self._on_news = on_news
        self._next = Reminder(around.time, self.wake)
        self._end: RuntimeRefusal | None = None
        self.begin(after)

    def begin(self, after: int) -> None:
        """Put the cursor after the event `after`, also anew.

        Raises:
            SequenceAhead: see `LiveMatch.watch`; the cursor is where it was.
        """
        reached = self.live.outlook(self._player_id).sequence
        if after > reached:
            raise SequenceAhead(reached)
        self.sequence = after
        self._has_caught_up = False

    def advance(self) -> tuple[int, int]:
        """Move towards the end of the log; return the sequence before and after.

        Raises:
            RuntimeRefusal: the watch was ended.
        """
        if self._end:
            raise self._end
        self._news.clear()
        self._look()
        # Who gave his seat up may have had more than a spectator may know by now.
        after, head = self.sequence, max(self.sequence, self.outlook.sequence)
        self.sequence = min(head, after + self._limits.events_at_once)
        self._has_caught_up = self._has_caught_up or self.sequence == head
        return after, self.sequence

    @property
    def is_live(self) -> bool:
        """Whether the reader sees what happens as it happens."""
        return not self.outlook.delay

    @property
    def behind(self) -> int:
        """How many events there are that the reader may know of and were not handed over."""
        return max(0, self.outlook.sequence - self.sequence)

    def refuse_lag(self) -> None:
        """Do nothing, unless the reader had every event and now takes too few.

        Raises:
            WatcherTooSlow: the log has meanwhile grown too far beyond the cursor.
        """
        if self._has_caught_up and self.behind > self._limits.lag_events:
            raise WatcherTooSlow(self.sequence)

    async def wait(self, seconds: float) -> None:
        """Return when the log has grown, the watch was ended, or the time is over.

        Raises:
            WatcherTooSlow: see `refuse_lag`.
        """
        self.refuse_lag()
        if self.behind:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    def wake(self) -> None:
        """Tell that there may be something to look at."""
        self._look()
        if self._end or self.is_live or self.behind:
            self._news.set()
            self._on_news()

    def end(self, reason: RuntimeRefusal) -> None:
        """Let the next `advance` raise `reason`."""
        self._end = reason
        self.wake()

    def close(self) -> None:
        """Look no more."""
        self._next.set(None)

    def _look(self) -> None:
        if not self._end:
            self.outlook = self.live.outlook(self._player_id)
        self._next.set(None if self._end else self.outlook.next_at)
