"""Matches between bots who write down all that the server told them."""

import asyncio
import random
from contextlib import aclosing
from uuid import uuid4

from durak_client import Client, RuleRefused, View
from durak_client.pb.durak.v1 import play_service_pb2
from durak_client.wire_model import to_move
from tests.crash.history import Answer, History, Refusal, Watched


class Progress:
    """Counts acknowledged moves, so that a test can act in the middle of the play."""

    def __init__(self) -> None:
        self.moves = 0
        self._changed = asyncio.Condition()

    async def add(self) -> None:
        """Count one more."""
        self.moves += 1
        async with self._changed:
            self._changed.notify_all()

    async def reaches(self, moves: int) -> None:
        """Wait until so many moves have been acknowledged."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.moves >= moves)


class RecordingBot:
    """A bot that plays random moves and records every answer and every event."""

    def __init__(self, client: Client, history: History, progress: Progress, seed: int) -> None:
        self._client = client
        self._history = history
        self._progress = progress
        self._random = random.Random(seed)

    async def play(self, match_id: str) -> None:
        """Follow a match from its first event to its last, and move whenever asked."""
        seen = Watched(match_id, self._client.player_id)
        self._history.watched.append(seen)
        async with aclosing(self._client.follow(match_id)) as updates:
            async for update in updates:
                seen.events += [(e.sequence, type(e.fact).__name__) for e in update.events]
                seen.finished = update.is_final
                if update.view is not None and update.view.legal_moves:
                    await self._move(match_id, update.view)

    async def _move(self, match_id: str, view: View) -> None:
        move = self._random.choice([group.lowest(view.trump) for group in view.legal_moves])
        request = play_service_pb2.MakeMoveRequest(
            request_id=str(uuid4()), match_id=match_id, move=to_move(move)
        )
        try:
            answer = await self._client.calls.call(
                lambda stubs: stubs.playing.MakeMove, request, match_id
            )
        except RuleRefused:
            # Another player was faster; the next update asks again if there is more to ask.
            self._history.refusals.append(Refusal(match_id, request.request_id))
            return
        sequences = tuple(event.sequence for event in answer.events)
        self._history.answers.append(Answer(match_id, request.request_id, sequences))
        await self._progress.add()
