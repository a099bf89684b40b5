"""Matches of two with clocks, between players who think and write down all that they were told."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from durak_client import Client, Patience, Update, View
from durak_client.pb.durak.v1 import play_service_pb2
from durak_client.play_stream import PlayStream
from tests.client.players import player
from tests.crash.history import History, Watched
from tests.crash.recorded_play import Progress, RecordingBot
from tests.deploys.waits import StreamWaits, Waits

AS_SHIPPED = Patience(deadline=timedelta(seconds=60))
"""The patience that a client has of itself, but on a slow machine."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All the matches of one run, and how they are played.

    Players think for up to `thinking_seconds`, and have `turn_seconds` for it. Once the tables
    close, whoever is asked to move leaves.
    """

    port: int
    thinking_seconds: float
    turn_seconds: int
    history: History = field(default_factory=History)
    progress: Progress = field(default_factory=Progress)
    waits: Waits = field(default_factory=Waits)
    close: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self, number: int) -> str:
        """Play a match to its end and return its id; the same number makes the same choices.

        Of every other match moves and updates share one stream of each player's.
        """
        async with AsyncExitStack() as stack:
            owner, guest = [
                await stack.enter_async_context(player(self.port, patience=AS_SHIPPED))
                for _ in range(2)
            ]
            match = await owner.create_match(turn_seconds=self.turn_seconds)
            await guest.join(match.match_id)
            await match.start()
            async with asyncio.TaskGroup() as group:
                for seat, client in enumerate((owner, guest)):
                    kind = StreamBot if number % 2 else ThinkingBot
                    bot = kind(client, self, 2 * number + seat)
                    group.create_task(bot.play(match.match_id))
        return match.match_id


class ThinkingBot(RecordingBot):
    """A bot that follows on while it thinks, and while it waits for an answer."""

    def __init__(self, client: Client, tables: Tables, seed: int) -> None:
        super().__init__(client, tables.history, tables.progress, seed)
        self._tables = tables
        self._dice = Random(seed)
        self._view: View | None = None
        self._has_news = asyncio.Event()

    async def play(self, match_id: str) -> None:
        """Follow a match from its first event to its last, and move whenever asked."""
        with self._tables.waits.stream(match_id, self._client.player_id) as stream:
            await self._play(match_id, stream)

    async def _play(self, match_id: str, stream: StreamWaits) -> None:
        moving = asyncio.create_task(self._move_whenever_asked(match_id))
        following = asyncio.create_task(self._follow(match_id, stream))
        try:
            await asyncio.wait((moving, following), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (moving, following):
                task.cancel()
            await asyncio.wait((moving, following))
        for task in (moving, following):
            if not task.cancelled():
                task.result()

    def _updates(self, match_id: str, stream: StreamWaits) -> AsyncGenerator[Update, None]:
        return self._client.follow(match_id, on_lost=stream.lose)

    async def _follow(self, match_id: str, stream: StreamWaits) -> None:
        seen = Watched(match_id, self._client.player_id)
        self._history.watched.append(seen)
        async with aclosing(self._updates(match_id, stream)) as updates:
            async for update in updates:
                stream.hear()
                seen.events += [(e.sequence, type(e.fact).__name__) for e in update.events]
                seen.finished = update.is_final
                self._view = update.view or self._view
                self._has_news.set()

    async def _move_whenever_asked(self, match_id: str) -> None:
        while True:
            await self._has_news.wait()
            await asyncio.sleep(self._dice.uniform(0, self._tables.thinking_seconds))
            self._has_news.clear()
            if self._tables.close.is_set():
                self._moves_left = 0
            if self._view and self._view.legal_moves:
                with self._tables.waits.answer():
                    await self._move_or_leave(match_id, self._view)


class StreamBot(ThinkingBot):
    """The same over one stream, which carries its moves as well."""

    _stream: PlayStream

    async def _play(self, match_id: str, stream: StreamWaits) -> None:
        async with self._client.stream(on_lost=stream.lose) as self._stream:
            await super()._play(match_id, stream)

    def _updates(self, match_id: str, _: StreamWaits) -> AsyncGenerator[Update, None]:
        return self._stream.follow(match_id)

    async def _sent(
        self, request: play_service_pb2.MakeMoveRequest
    ) -> play_service_pb2.MakeMoveResponse:
        return await self._stream.make_move(request)
