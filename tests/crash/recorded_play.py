"""Matches between bots who write down all that the server told them."""

import asyncio
import random
from contextlib import AsyncExitStack, aclosing, suppress
from uuid import uuid4

from durak_client import Client, Patience, RuleRefused, View
from durak_client.pb.durak.v1 import play_service_pb2
from durak_client.wire_model import to_move
from tests.client.players import PERSISTENT, player
from tests.crash.history import Answer, History, Refusal, Watched

WHOLE_MATCH = 10**9


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
    """A bot that plays random moves and records every answer and every event.

    Args:
        repeats: how often it sends each move, always with the same request id.
        moves: after so many it leaves.
    """

    def __init__(
        self,
        client: Client,
        history: History,
        progress: Progress,
        seed: int,
        *,
        repeats: int = 1,
        moves: int = WHOLE_MATCH,
    ) -> None:
        self._client = client
        self._history = history
        self._progress = progress
        self._random = random.Random(seed)
        self._repeats = repeats
        self._moves_left = moves
        self._has_left = False

    async def play(self, match_id: str) -> None:
        """Follow a match from its first event to its last, and move whenever asked."""
        seen = Watched(match_id, self._client.player_id)
        self._history.watched.append(seen)
        async with aclosing(self._client.follow(match_id)) as updates:
            async for update in updates:
                seen.events += [(e.sequence, type(e.fact).__name__) for e in update.events]
                seen.finished = update.is_final
                if update.view is not None and update.view.legal_moves:
                    await self._move_or_leave(match_id, update.view)

    async def _move_or_leave(self, match_id: str, view: View) -> None:
        if self._has_left:
            return
        if not self._moves_left:
            self._has_left = True
            with suppress(RuleRefused):  # the other has ended the match by leaving
                await self._client.match(match_id).leave()
            return
        self._moves_left -= 1
        move = self._random.choice([group.lowest(view.trump) for group in view.legal_moves])
        request = play_service_pb2.MakeMoveRequest(
            request_id=str(uuid4()), match_id=match_id, move=to_move(move)
        )
        # A refused request is judged anew when it is repeated: that proves nothing.
        if await self._is_taken(request):
            for _ in range(self._repeats - 1):
                await self._is_taken(request)

    async def _is_taken(self, request: play_service_pb2.MakeMoveRequest) -> bool:
        try:
            answer = await self._sent(request)
        except RuleRefused:
            # Another player was faster; the next update asks again if there is more to ask.
            self._history.refusals.append(Refusal(request.match_id, request.request_id))
            return False
        sequences = tuple(event.sequence for event in answer.events)
        self._history.answers.append(Answer(request.match_id, request.request_id, sequences))
        await self._progress.add()
        return True

    async def _sent(
        self, request: play_service_pb2.MakeMoveRequest
    ) -> play_service_pb2.MakeMoveResponse:
        return await self._client.calls.call(
            lambda stubs: stubs.playing.MakeMove, request, request.match_id
        )


async def play_recorded(
    port: int,
    number: int,
    history: History,
    progress: Progress,
    *,
    repeats: int = 1,
    moves: int = WHOLE_MATCH,
    patience: Patience = PERSISTENT,
) -> str:
    """Play a match between two recording bots to its end and return its id.

    A third only watches: he misses nothing while the others wait for answers. The same number
    gives the same kind of match and the same choices.
    """
    async with AsyncExitStack() as stack:
        owner, guest, watcher = [
            await stack.enter_async_context(player(port, patience=patience)) for _ in range(3)
        ]
        match = await owner.create_match("perevodnoy" if number % 2 else "podkidnoy")
        await guest.join(match.match_id)
        await match.start()
        async with asyncio.TaskGroup() as group:
            for seat, client in enumerate((owner, guest, watcher)):
                bot = RecordingBot(
                    client, history, progress, 3 * number + seat, repeats=repeats, moves=moves
                )
                group.create_task(bot.play(match.match_id))
    return match.match_id
