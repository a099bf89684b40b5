"""One stream to play and follow any number of matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Self

import grpc

from durak_client.channel import Stubs
from durak_client.errors import ClientClosed, Refusal, Refused, Unavailable
from durak_client.events import Update
from durak_client.followed_match import FollowedMatch
from durak_client.following import FOR_GOOD, Lost, ViewMode, broken, heard, is_for_good
from durak_client.match import Match
from durak_client.patience import pause_seconds
from durak_client.pb.durak.v1 import play_service_pb2
from durak_client.refusals import refused_by
from durak_client.streamed_match import StreamedMatch
from durak_client.wire_events import update as from_wire

if TYPE_CHECKING:
    from types import TracebackType

    from durak_client.client import Client

_Command = play_service_pb2.PlayCommand
_Answer = play_service_pb2.PlayAnswer
_StreamCall = grpc.aio.StreamStreamCall[play_service_pb2.PlayRequest, play_service_pb2.PlayResponse]
_MOST_COMMANDS = 256
_TAGS = 2**32


class PlayStream:
    """Plays and follows matches over one stream; made by `Client.stream`, used by `async with`.

    `match` gives handles whose moves and updates go over the stream. A lost connection is made
    again for as long as it takes: every match is followed on from where it was, and moves that are
    not answered are repeated, which counts once.
    """

    def __init__(self, client: Client, on_lost: Callable[[Lost], None] | None = None) -> None:
        self._client = client
        self._calls = client.calls
        self._on_lost = on_lost
        self._waits = self._calls.patience.waits()
        self._tags = count(1)
        self._followed: dict[str, FollowedMatch] = {}
        self._unconfirmed: dict[int, FollowedMatch] = {}
        self._asked: dict[int, tuple[_Command, asyncio.Future[_Answer]]] = {}
        self._outbox: list[_Command] = []
        self._has_more = asyncio.Event()
        self._is_connected = False
        self._end: Exception | None = None
        self._call: _StreamCall | None = None
        self._task: asyncio.Task[None] | None = None
        self._token = ""
        """The one with which the connection was begun."""
        self._ending: set[asyncio.Task[None]] = set()

    def match(self, match: Match | str) -> Match:
        """Return a handle of a match that moves and follows over this stream."""
        match_id = match if isinstance(match, str) else match.match_id
        return StreamedMatch(self, self._client, match_id)

    async def follow(
        self, match: Match | str, after: int = 0, *, view_mode: str | ViewMode = "always"
    ) -> AsyncGenerator[Update, None]:
        """Yield what happens in a match, as `Client.follow`; what waits is joined to one update.

        Raises:
            ValueError: the match is being followed on this stream.
            Refused: the server will never let this match be followed.
            NotUnderstood: the server's answers are none.
            ClientClosed: the stream or the client was closed.
        """
        self._refuse_closed()
        match_id = match if isinstance(match, str) else match.match_id
        if match_id in self._followed:
            raise ValueError(f"{match_id} is being followed on this stream")
        followed = FollowedMatch(
            match_id,
            after,
            ViewMode.named(view_mode),
            self._client.muted,
            self._calls.patience.waits,
        )
        self._followed[match_id] = followed
        self._ask_to_follow(followed)
        try:
            async for update in followed.updates():
                yield update
        finally:
            del self._followed[match_id]
            unfollow = play_service_pb2.UnfollowCommand(match_id=match_id)
            self._send(_Command(tag=self._next_tag(), unfollow=unfollow))

    def begin_anew(self) -> None:
        """Give up the connection for a new one, with the client's token as it is now."""
        if self._call:
            self._call.cancel()

    async def make_move(
        self, request: play_service_pb2.MakeMoveRequest
    ) -> play_service_pb2.MakeMoveResponse:
        """Send a move and return its answer; see `Match.move`."""
        return (await self._asked_for(_Command(move=request))).moved

    async def say(self, request: play_service_pb2.SayRequest) -> play_service_pb2.SayResponse:
        """Say something and return the answer; see `Match.say`."""
        return (await self._asked_for(_Command(say=request))).said

    async def close(self) -> None:
        """End the stream; what is still waited for ends with `ClientClosed`."""
        self._end_all(ClientClosed("the stream was closed"))
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _asked_for(self, command: _Command) -> _Answer:
        return await self._calls.repeated(lambda _, seconds: self._asked_once(command, seconds))

    async def _asked_once(self, command: _Command, seconds: float) -> _Answer:
        self._refuse_closed()
        tag = command.tag = self._next_tag()
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._asked[tag] = command, answer
        self._send(command)
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            late = Refusal(grpc.StatusCode.DEADLINE_EXCEEDED, message="no answer came in time")
            raise Unavailable(late) from None
        finally:
            del self._asked[tag]

    async def _run(self) -> None:
        """Keep a connection, until a server will never serve this stream or it is closed."""
        try:
            while True:
                await self._connection_and_pause()
        except Exception as error:  # also what `on_lost` raises: nobody else would hear of it
            self._end_all(error)

    async def _connection_and_pause(self) -> None:
        """Use one connection, and return when it is time for another; see `_connection`."""
        self._token = self._calls.token
        try:
            await self._connection()
        except Refused as refusal:
            if await is_for_good(self._calls, refusal, self._token):
                raise
            wait = pause_seconds(next(self._waits), refusal.refusal.retry_seconds)
            if self._on_lost is not None:
                self._on_lost(Lost(refusal, wait))
            await asyncio.sleep(wait)

    async def _connection(self) -> None:
        """Use one connection until it breaks.

        Raises:
            Refused: it is broken, or the server does not serve it.
            ClientClosed: the client was closed.
        """
        stubs = self._calls.connection.stubs
        with self._calls.errors_translated():
            call = stubs.playing.Play(metadata=self._calls.metadata())
        self._call = call
        self._begin_again()
        try:
            # What is sent on a stream that is being refused can take the place of the reason.
            self._take_in(await self._read(call, stubs))
            await self._use(call, stubs)
        finally:
            self._is_connected = False
            call.cancel()

    async def _use(self, call: _StreamCall, stubs: Stubs) -> None:
        sending = asyncio.create_task(self._send_all(call))
        try:
            while True:
                self._take_in(await self._read(call, stubs))
                self._waits = self._calls.patience.waits()
        finally:
            sending.cancel()

    def _begin_again(self) -> None:
        """Ask for everything that is followed, and for every answer that did not come."""
        self._is_connected = True
        self._unconfirmed = {}
        self._outbox = [
            followed.command(self._tag_of(followed)) for followed in self._followed.values()
        ]
        self._outbox += [command for command, _ in self._asked.values()]
        self._has_more.set()

    async def _send_all(self, call: _StreamCall) -> None:
        """Send whatever is there together; the reader hears of it if the connection breaks."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._has_more.wait()
                self._has_more.clear()
                while self._outbox:
                    commands = self._outbox[:_MOST_COMMANDS]
                    del self._outbox[:_MOST_COMMANDS]
                    await call.write(play_service_pb2.PlayRequest(commands=commands))

    async def _read(self, call: _StreamCall, stubs: Stubs) -> play_service_pb2.PlayResponse:
        message = await heard(self._calls, call.read, stubs)
        if isinstance(message, play_service_pb2.PlayResponse):
            return message
        raise broken("the stream ended")

    def _take_in(self, message: play_service_pb2.PlayResponse) -> None:
        for answer in message.answers:
            self._take_answer(answer)
        for update in message.updates:
            if followed := self._followed.get(update.match_id):
                followed.take_in(from_wire(update))
        for ended in message.ended:
            if followed := self._followed.get(ended.match_id):
                self._follow_again(followed, refused_by(ended.refusal))

    def _take_answer(self, answer: play_service_pb2.PlayAnswer) -> None:
        refusal = refused_by(answer.refusal) if answer.HasField("refusal") else None
        followed = self._unconfirmed.pop(answer.tag, None)
        if followed and refusal:
            self._follow_again(followed, refusal)
        elif followed:
            followed.confirm()
        elif answer.tag in self._asked:
            _, waiting = self._asked[answer.tag]
            if not waiting.done():
                waiting.set_exception(refusal) if refusal else waiting.set_result(answer)

    def _follow_again(self, followed: FollowedMatch, cause: Refused) -> None:
        """Follow a match again after a while, unless it can never be followed."""
        if cause.code in FOR_GOOD:
            ending = asyncio.create_task(self._end_unless_renewed(followed, cause))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            return
        wait = pause_seconds(followed.wait_seconds(), cause.refusal.retry_seconds)
        asyncio.get_running_loop().call_later(wait, self._ask_to_follow, followed)

    async def _end_unless_renewed(self, followed: FollowedMatch, cause: Refused) -> None:
        """End what the server refuses, unless a new token lets the stream begin anew."""
        try:
            if await is_for_good(self._calls, cause, self._token):
                followed.end(cause)
        except Exception as error:  # as in `_run`
            followed.end(error)

    def _ask_to_follow(self, followed: FollowedMatch) -> None:
        if self._followed.get(followed.match_id) is followed:
            self._send(followed.command(self._tag_of(followed)))

    def _send(self, command: _Command) -> None:
        """Send a command soon; without a connection `_begin_again` sends what matters then."""
        if self._is_connected:
            self._outbox.append(command)
            self._has_more.set()

    def _end_all(self, error: Exception) -> None:
        self._end = self._end or error
        for followed in self._followed.values():
            followed.end(error)
        for _, waiting in self._asked.values():
            if not waiting.done():
                waiting.set_exception(error)

    def _tag_of(self, followed: FollowedMatch) -> int:
        """Return the tag of a new command to follow a match; only its answer counts."""
        tag = self._next_tag()
        self._unconfirmed[tag] = followed
        return tag

    def _next_tag(self) -> int:
        return next(self._tags) % _TAGS

    def _refuse_closed(self) -> None:
        if self._end:
            raise self._end
