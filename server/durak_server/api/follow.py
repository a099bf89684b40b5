"""How one stream follows one match."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

from durak_server.api.calls import Context
from durak_server.api.updates import Updates
from durak_server.api.watching_streams import WatchingPlace
from durak_server.observe.path_metrics import PathMetrics
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import WatcherTooSlow


@dataclass(frozen=True, slots=True)
class StreamPace:
    """How long a stream may be silent, and its reader may take nothing."""

    heartbeat_seconds: float = 10.0
    stall_seconds: float = 30.0
    rematch: timedelta = timedelta(minutes=2)
    """How long after the end of a match a stream waits for a rematch, if it was asked to."""
    lobby_pause: timedelta = timedelta(seconds=0.5)
    """For how long a stream to the lobby tells nothing more once it has told all there was."""


async def open_stream(context: Context) -> None:
    """Tell the caller that his stream begins, before its first message.

    If that had to bring it along, and nobody took it, the stream could not be ended either.
    """
    await context.send_initial_metadata(())


class Follower:
    """Sends the updates of one match; `on_read` is told how many events each has."""

    def __init__(
        self,
        updates: Updates,
        place: WatchingPlace,
        pace: StreamPace,
        metrics: PathMetrics,
        on_read: Callable[[int], None],
    ) -> None:
        self._updates = updates
        self._place = place
        self._watcher = updates.watcher
        self._pace = pace
        self._metrics = metrics
        self._on_read = on_read

    async def follow(self, context: Context) -> None:
        """Write updates until the match is over.

        Raises:
            RuntimeRefusal: the watch was ended, or its reader is too slow.
            CallFailed: the caller may not follow any more, or has lost his seat and finds no place
                among those who watch.
        """
        await open_stream(context)
        while True:
            before = self._watcher.sequence
            update = self._updates.next()
            self._on_read(len(update.events))
            self._place.attend(self._watcher.live.match)
            await self._write(update, context, before)
            if self._watcher.is_live and update.events and not update.HasField("info"):
                published_at = self._watcher.live.published_at
                self._metrics.deliver_seconds.observe(perf_counter() - published_at)
            if update.is_final:
                return
            await self._watcher.wait(self._pace.heartbeat_seconds)

    async def _write(self, update: pb.Update, context: Context, before: int) -> None:
        try:
            async with asyncio.timeout(self._pace.stall_seconds):
                await context.write(pb.StreamEventsResponse(update=update))
        except TimeoutError:
            raise WatcherTooSlow(before) from None
