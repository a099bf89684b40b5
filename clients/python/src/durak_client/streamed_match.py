"""A match that is played and followed over a stream that it shares with others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_client.match import Match

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from durak_client.client import Client
    from durak_client.events import Update
    from durak_client.following import Lost, ViewMode
    from durak_client.pb.durak.v1 import play_service_pb2
    from durak_client.play_stream import PlayStream


class StreamedMatch(Match):
    """A match whose moves and updates go over a stream."""

    def __init__(self, stream: PlayStream, client: Client, match_id: str) -> None:
        super().__init__(client, match_id)
        self._stream = stream

    def follow(
        self,
        after: int = 0,
        *,
        view_mode: str | ViewMode = "always",
        rematch: bool = False,
        on_lost: Callable[[Lost], None] | None = None,
    ) -> AsyncGenerator[Update, None]:
        """Yield what happens in the match; the stream tells of lost connections, not this.

        To wait for a `rematch` takes a stream of its own.
        """
        if rematch:
            return super().follow(after, view_mode=view_mode, rematch=True, on_lost=on_lost)
        return self._stream.follow(self, after, view_mode=view_mode)

    async def _sent(
        self, request: play_service_pb2.MakeMoveRequest
    ) -> play_service_pb2.MakeMoveResponse:
        return await self._stream.make_move(request)

    async def _said(self, request: play_service_pb2.SayRequest) -> play_service_pb2.SayResponse:
        return await self._stream.say(request)
