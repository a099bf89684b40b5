"""How one stream follows one match."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

from durak_server.api.calls import Context
from durak_server.api.failures import refused
from durak_server.api.tokens import Caller
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import Match, MatchStatus, MatchView, refuse_watching, summary
from durak_server.observe.metrics import PathMetrics
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import Watcher, WatcherTooSlow


@dataclass(frozen=True, slots=True)
class StreamPace:
    """How long a stream may be silent, and its reader may take nothing."""

    heartbeat_seconds: float = 10.0
    stall_seconds: float = 30.0
    rematch: timedelta = timedelta(minutes=2)
    """How long after the end of a match a stream waits for a rematch, if it was asked to."""


class Follower:
    """Sends what a watcher finds, as its caller may see it."""

    def __init__(
        self,
        caller: Caller,
        watcher: Watcher,
        view_mode: pb.ViewMode.ValueType,
        pace: StreamPace,
        metrics: PathMetrics,
        *,
        follow_rematch: bool,
    ) -> None:
        self._caller = caller
        self._watcher = watcher
        self._live = watcher.live
        self._view_mode = view_mode
        self._pace = pace
        self._metrics = metrics
        self._follow_rematch = follow_rematch
        self._is_first = True

    async def follow(self, context: Context) -> None:
        """Write updates until the match is over.

        Raises:
            RuntimeRefusal: the watch was ended, or its reader is too slow.
            CallFailed: the caller may not follow any more.
        """
        while True:
            after, last = self._watcher.advance()
            update = self._update(after, last)
            await self._write(update, context, after)
            if last > after and not self._is_first:
                self._metrics.deliver_seconds.observe(perf_counter() - self._live.published_at)
            if update.is_final:
                return
            self._is_first = False
            await self._watcher.wait(self._pace.heartbeat_seconds)

    async def _write(self, update: pb.Update, context: Context, after: int) -> None:
        try:
            async with asyncio.timeout(self._pace.stall_seconds):
                await context.write(pb.StreamEventsResponse(update=update))
        except TimeoutError:
            raise WatcherTooSlow(after) from None

    def _update(self, after: int, last: int) -> pb.Update:
        match = self._live.match
        # Seats change while a match is open, and with them what the caller may see.
        refusal = refuse_watching(match, self._caller.player_id)
        if refusal:
            raise refused(refusal)
        seat = match.active_seat_of(self._caller.player_id)
        update = pb.Update(
            match_id=match.match_id,
            sequence=last,
            events=wire_events(self._live.history.seen(after, seat, last)),
            is_final=last == match.sequence and self._is_over(match),
        )
        if self._view_mode != pb.VIEW_MODE_NEVER:
            view = self._live.view(seat)
            if self._wants(view, update):
                update.view.CopyFrom(wire_view(view))
        if self._is_first:
            update.info.CopyFrom(wire_info(summary(match), self._caller.player_id))
        return update

    def _is_over(self, match: Match) -> bool:
        """Tell whether nothing follows any more for which this stream would wait."""
        if match.ended_at is None:
            return False
        is_rematch_open = match.status is MatchStatus.FINISHED and not match.next_match_id
        if not (self._follow_rematch and is_rematch_open):
            return True
        return self._live.now() >= match.ended_at + self._pace.rematch

    def _wants(self, view: MatchView, update: pb.Update) -> bool:
        if self._is_first:
            return True
        if self._view_mode == pb.VIEW_MODE_ALWAYS:
            return bool(update.events)
        is_asked = bool(update.events) and bool(view.table and view.table.legal_moves)
        return is_asked or update.is_final
