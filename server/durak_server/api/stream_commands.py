"""The commands of one stream: carried out in order for each match, and boundedly many at a time."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass
from typing import TypeAlias

from durak_server.api.command_room import CommandRoom
from durak_server.pb.durak.v1 import play_service_pb2 as pb

Answering: TypeAlias = Callable[[pb.PlayCommand], Awaitable[pb.PlayAnswer]]


@dataclass(frozen=True, slots=True)
class _Answered:
    match_id: str
    answer: pb.PlayAnswer
    size: int
    """Of its command, in bytes."""


class StreamCommands:
    """Has commands carried out.

    The next on the same match is begun only by `go_on`, once the answer to the one before was
    taken: so whoever takes answers can put them together with what they caused.

    Args:
        answering: carries one out; it must not raise.
        on_answer: called whenever `take` has something; must not block.
    """

    def __init__(self, answering: Answering, on_answer: Callable[[], None]) -> None:
        self._answering = answering
        self._on_answer = on_answer
        self._room = CommandRoom()
        # The sizes of commands whose answers were taken and not forgotten yet, in their order.
        self._unwritten: deque[int] = deque()
        self._waiting: dict[str, deque[pb.PlayCommand]] = {}
        self._underway: dict[str, asyncio.Task[None]] = {}
        self._answered: list[_Answered] = []
        self._taken: list[_Answered] = []

    @property
    def underway(self) -> Set[str]:
        """The matches on which a command is being carried out."""
        return self._underway.keys()

    @property
    def are_answered(self) -> bool:
        """Whether no command waits, and no answer."""
        return not self._waiting

    async def give(self, command: pb.PlayCommand) -> None:
        """Have a command carried out; return once there was room for it."""
        await self._room.enter(command.ByteSize())
        match_id = match_of(command)
        waiting = self._waiting.get(match_id)
        if waiting is None:
            self._waiting[match_id] = deque()
            self._begin(match_id, command)
        else:
            waiting.append(command)

    def take(self) -> list[pb.PlayAnswer]:
        """Return the answers there are, in the order in which they came."""
        self._taken, self._answered = self._answered, []
        self._unwritten.extend(answered.size for answered in self._taken)
        return [answered.answer for answered in self._taken]

    def go_on(self) -> None:
        """Begin what waited for the answers taken last."""
        for answered in self._taken:
            waiting = self._waiting[answered.match_id]
            if waiting:
                self._begin(answered.match_id, waiting.popleft())
            else:
                del self._waiting[answered.match_id]
        self._taken = []

    def forget(self, answers: int) -> None:
        """Make room again for so many commands: their answers were written."""
        for _ in range(answers):
            self._room.leave(self._unwritten.popleft())

    def cancel(self) -> list[asyncio.Task[None]]:
        """Carry out nothing any longer; what was given to a match is done all the same.

        None of what is returned does anything from now on but end.
        """
        tasks = list(self._underway.values())
        for task in tasks:
            task.cancel()
        return tasks

    def _begin(self, match_id: str, command: pb.PlayCommand) -> None:
        self._underway[match_id] = asyncio.create_task(self._carry_out(match_id, command))

    async def _carry_out(self, match_id: str, command: pb.PlayCommand) -> None:
        answer = await self._answering(command)
        self._answered.append(_Answered(match_id, answer, command.ByteSize()))
        del self._underway[match_id]
        self._on_answer()


def match_of(command: pb.PlayCommand) -> str:
    """Return the match that a command is about, as it was sent; empty if it has no kind."""
    match command.WhichOneof("kind"):
        case "follow":
            return command.follow.match_id
        case "unfollow":
            return command.unfollow.match_id
        case "move":
            return command.move.match_id
        case "say":
            return command.say.match_id
        case _:
            return ""
