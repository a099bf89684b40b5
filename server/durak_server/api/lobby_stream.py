"""How one stream tells of the lobby."""

import asyncio
from collections.abc import Callable
from typing import Final

from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.follow import StreamPace, open_stream
from durak_server.api.wire_matches import wire_listed
from durak_server.observe.metrics import ProcessMetrics
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.runtime import LobbyWatcher
from durak_server.store import EventStore, MatchQuery, Page, PageRequest

_MOST_MATCHES: Final = 100
"""Of so many matches one message tells at most."""


class LobbyStream:
    """Lists the matches that fit, then tells what changes; `on_page` hears of each page read."""

    def __init__(
        self,
        caller: Caller,
        watcher: LobbyWatcher,
        pace: StreamPace,
        metrics: ProcessMetrics,
        on_page: Callable[[Page], None],
    ) -> None:
        self._caller = caller
        self._watcher = watcher
        self._pace = pace
        self._metrics = metrics
        self._on_page = on_page

    async def serve(self, store: EventStore, query: MatchQuery, context: Context) -> None:
        """Write until the watch is ended.

        Raises:
            ShuttingDown: all streams end.
            CallFailed: the caller takes nothing.
            StoreError: the matches cannot be listed.
        """
        await open_stream(context)
        token, is_complete = "", False
        while not is_complete:
            page = await store.list_public(query, PageRequest(_MOST_MATCHES, token))
            self._on_page(page)
            token, is_complete = page.next_token, not page.next_token
            added = self._watcher.listing(page.matches)
            if added or is_complete:
                message = pb.WatchLobbyResponse(is_complete=is_complete)
                message.added.extend(wire_listed(match, self._caller.player_id) for match in added)
                await self._write(message, context)
        self._watcher.list_is_whole()
        while True:
            await self._watcher.wait(self._pace.heartbeat_seconds)
            await self._write(self._news(), context)

    def _news(self) -> pb.WatchLobbyResponse:
        news = self._watcher.take(_MOST_MATCHES)
        viewer_id = self._caller.player_id
        return pb.WatchLobbyResponse(
            added=[wire_listed(match, viewer_id) for match in news.added],
            changed=[wire_listed(match, viewer_id) for match in news.changed],
            removed_match_ids=news.removed,
        )

    async def _write(self, message: pb.WatchLobbyResponse, context: Context) -> None:
        try:
            async with asyncio.timeout(self._pace.stall_seconds):
                await context.write(message)
        except TimeoutError:
            self._metrics.watchers_dropped.inc()
            raise CallFailed(
                error_pb2.ERROR_REASON_WATCHER_TOO_SLOW, "The stream's reader takes nothing."
            ) from None
