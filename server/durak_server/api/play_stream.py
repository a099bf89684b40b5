"""One stream on which a caller plays and follows any number of matches."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from grpc import StatusCode

from durak_server.api.address_limit import AddressLimit
from durak_server.api.call_errors import failure_of
from durak_server.api.call_lines import CallLines
from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.command_room import MOST_COMMANDS
from durak_server.api.failures import CallFailed, invalid_field
from durak_server.api.follow import StreamPace, open_stream
from durak_server.api.followed_matches import FollowedMatches
from durak_server.api.gate import Gate
from durak_server.api.held_refusals import HeldRefusals
from durak_server.api.hidden_matches import HiddenMatches
from durak_server.api.moving import make_move
from durak_server.api.rate_limit import RateLimited
from durak_server.api.readings import Readings
from durak_server.api.requests import checked_match_id
from durak_server.api.speaking import TalkLimits, say
from durak_server.api.stream_commands import StreamCommands
from durak_server.api.stream_count import StreamCount
from durak_server.api.watching_streams import WatchingPlace, WatchingStreams
from durak_server.api.wire_refusals import wire_refusal
from durak_server.matches import Match
from durak_server.observe.metrics import UNKNOWN, Metrics
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import LiveMatches, ShuttingDown


@dataclass(frozen=True, slots=True)
class StreamSurroundings:
    """What all such streams share."""

    gate: Gate
    addresses: AddressLimit
    live: LiveMatches
    watching: WatchingStreams
    follows: StreamCount
    """How many matches each player follows on all such streams."""
    pace: StreamPace
    most_matches: int
    """How many matches one stream may follow."""
    readings: Readings
    talk: TalkLimits
    lines: CallLines
    held: HeldRefusals
    hidden: HiddenMatches
    metrics: Metrics


class PlayStream:
    """Reads commands, and writes whatever is ready together.

    Commands and watched matches only say that something is ready; the one coroutine that writes
    looks what it is once the reader has room for it.
    """

    def __init__(self, caller: Caller, context: Context, around: StreamSurroundings) -> None:
        self._caller = caller
        self._around = around
        self._news = asyncio.Event()
        self._context = context
        self._followed = FollowedMatches(
            caller,
            around.live,
            self._place_at,
            around.most_matches,
            around.metrics,
            partial(around.readings.count, caller, context),
            self._news.set,
        )
        self._commands = StreamCommands(self._answer, self._news.set)
        self._has_read_all = False
        self._failure: Exception | None = None

    async def serve(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Serve until the caller has closed his side and everything is said.

        Raises:
            CallFailed: a message cannot be taken, or the caller takes none.
            ShuttingDown: all streams end.
        """
        others = [
            asyncio.create_task(self._read(requests)),
            asyncio.create_task(self._end_with_all()),
        ]
        try:
            await open_stream(self._context)
            await self._write(_Message(pb.PlayResponse()))
            while message := await self._next():
                await self._write(message)
        finally:
            for task in others:
                task.cancel()
            ending = (*others, *self._commands.cancel())
            # After that: a command to follow that went on would be let go by nobody.
            self._followed.close()
            await asyncio.gather(*ending, return_exceptions=True)

    @contextmanager
    def _place_at(self, match: Match) -> Iterator[WatchingPlace]:
        around = self._around
        with (
            around.follows.one_of(self._caller.player_id, "The player"),
            around.watching.of_match(match, self._caller, self._context) as place,
        ):
            yield place

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        try:
            async for request in requests:
                if len(request.commands) > MOST_COMMANDS:
                    raise invalid_field("commands", f"at most {MOST_COMMANDS} commands")
                if not request.commands:
                    await self._count_empty()
                for command in request.commands:
                    await self._commands.give(command)
        except Exception as error:
            self._failure = error
        self._has_read_all = True
        self._news.set()

    async def _count_empty(self) -> None:
        """Count a message with nothing to refuse: after one too many the next is read later."""
        try:
            self._around.addresses.count(self._context)
        except RateLimited as failure:
            await self._around.held.hold(failure)

    async def _end_with_all(self) -> None:
        await self._around.live.streams_end.wait()
        self._failure = ShuttingDown()
        self._news.set()

    async def _answer(self, command: pb.PlayCommand) -> pb.PlayAnswer:
        begun = perf_counter()
        kind = command.WhichOneof("kind")
        label = kind.upper() if kind else UNKNOWN
        try:
            # Without the time for which a refusal is held: that is the caller's fault.
            with self._around.metrics.path.play_command_seconds.labels(label).time():
                answer = await self._carried_out(command)
            code = StatusCode.OK
        except Exception as error:
            told = await self._around.hidden.disguised(error)
            failure = failure_of(told, self._around.metrics.limits)
            await self._around.held.hold(failure)
            answer = pb.PlayAnswer(refusal=wire_refusal(failure))
            code = failure.code
        self._around.metrics.path.play_answers.labels(code.name).inc()
        self._around.lines.write("command", code, perf_counter() - begun, kind=kind)
        answer.tag = command.tag
        return answer

    async def _carried_out(self, command: pb.PlayCommand) -> pb.PlayAnswer:
        self._around.addresses.count(self._context)
        self._around.gate.count(self._caller)
        match command.WhichOneof("kind"):
            case "follow":
                await self._followed.follow(command.follow)
                return pb.PlayAnswer(followed=pb.Followed())
            case "unfollow":
                self._followed.unfollow(checked_match_id(command.unfollow.match_id))
                return pb.PlayAnswer(unfollowed=pb.Unfollowed())
            case "move":
                moved = await make_move(self._around.live, self._caller, command.move)
                return pb.PlayAnswer(moved=moved)
            case "say":
                said = await say(self._around.live, self._around.talk, self._caller, command.say)
                return pb.PlayAnswer(said=said)
            case _:
                raise invalid_field("kind", "must be said")

    async def _next(self) -> "_Message | None":
        """Return what to say next, nothing after a long silence; None at the end."""
        try:
            async with asyncio.timeout(self._around.pace.heartbeat_seconds):
                while not self._is_over:
                    await self._news.wait()
                    self._news.clear()
                    if self._failure:
                        raise self._failure
                    message = self._collected()
                    if message.response.ByteSize():
                        return message
        except TimeoutError:
            return _Message(pb.PlayResponse())
        return None

    @property
    def _is_over(self) -> bool:
        has_failed = self._failure is not None
        is_silent = self._commands.are_answered and not self._followed
        return self._has_read_all and is_silent and not has_failed

    def _collected(self) -> "_Message":
        """Return what is ready; no update of a match on which a command is underway.

        The answer to a move would come after the update with its events otherwise.
        """
        answers = self._commands.take()
        news = self._followed.take(held=self._commands.underway)
        self._commands.go_on()
        response = pb.PlayResponse(answers=answers, updates=news.updates, ended=news.ended)
        return _Message(response, tuple(news.published_at))

    async def _write(self, message: "_Message") -> None:
        try:
            async with asyncio.timeout(self._around.pace.stall_seconds):
                await self._context.write(message.response)
        except TimeoutError:
            self._around.metrics.process.watchers_dropped.inc()
            raise CallFailed(
                error_pb2.ERROR_REASON_WATCHER_TOO_SLOW, "The stream's reader takes nothing."
            ) from None
        self._commands.forget(len(message.response.answers))
        now = perf_counter()
        for published_at in message.published_at:
            self._around.metrics.path.deliver_seconds.observe(now - published_at)


@dataclass(frozen=True, slots=True)
class _Message:
    response: pb.PlayResponse
    published_at: tuple[float, ...] = ()
    """When live events in it were shown, by `time.perf_counter`."""
