"""How one stream tells of the lobby."""

import asyncio
from datetime import timedelta
from typing import Final

from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.follow import open_stream
from durak_server.api.lobby_surroundings import LobbySurroundings
from durak_server.api.wire_matches import wire_listed
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.runtime import LobbyWatcher
from durak_server.store import MatchQuery, PageRequest

_MOST_MATCHES: Final = 100
"""Of so many matches one message tells at most."""


class LobbyStream:
    """Lists the matches that fit, then tells what changes."""

    def __init__(
        self, caller: Caller, watcher: LobbyWatcher, around: LobbySurroundings, context: Context
    ) -> None:
        self._caller = caller
        self._watcher = watcher
        self._around = around
        self._context = context
        self._heartbeat = around.pace.heartbeat_seconds

    async def serve(self, query: MatchQuery) -> None:
        """Write until the watch is ended.

        Raises:
            ShuttingDown: all streams end.
            CallFailed: the caller takes nothing.
            StoreError: the matches cannot be listed.
        """
        await open_stream(self._context)
        await self._list(query)
        silence = 0.0
        while True:
            await self._watcher.wait(self._heartbeat - silence)
            has_news = self._watcher.has_news
            news = self._news()
            # What comes while this is written is not left over: it waits for the pause to end.
            is_left_over = self._watcher.has_news
            await self._write(news)
            silence = await self._rest() if has_news and not is_left_over else 0.0

    async def _list(self, query: MatchQuery) -> None:
        token, is_complete = "", False
        while not is_complete:
            page = await self._around.store.list_public(query, PageRequest(_MOST_MATCHES, token))
            self._around.readings.count_page(self._caller, self._context, page)
            token, is_complete = page.next_token, not page.next_token
            added = self._watcher.listing(page.matches)
            if added or is_complete:
                message = pb.WatchLobbyResponse(is_complete=is_complete)
                message.added.extend(wire_listed(match, self._caller.player_id) for match in added)
                await self._write(message)
        self._watcher.list_is_whole()

    async def _rest(self) -> float:
        """Let changes gather; return the seconds."""
        seconds = min(self._around.pace.lobby_pause.total_seconds(), self._heartbeat)
        if seconds:
            await self._watcher.rest(timedelta(seconds=seconds), self._around.time)
        return seconds

    def _news(self) -> pb.WatchLobbyResponse:
        news = self._watcher.take(_MOST_MATCHES)
        viewer_id = self._caller.player_id
        return pb.WatchLobbyResponse(
            added=[wire_listed(match, viewer_id) for match in news.added],
            changed=[wire_listed(match, viewer_id) for match in news.changed],
            removed_match_ids=news.removed,
        )

    async def _write(self, message: pb.WatchLobbyResponse) -> None:
        try:
            async with asyncio.timeout(self._around.pace.stall_seconds):
                await self._context.write(message)
        except TimeoutError:
            self._around.metrics.watchers_dropped.inc()
            raise CallFailed(
                error_pb2.ERROR_REASON_WATCHER_TOO_SLOW, "The stream's reader takes nothing."
            ) from None
