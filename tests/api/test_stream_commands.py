"""A stream holds only so much of what it was asked for and has not answered."""

import asyncio

from durak_server.api.stream_commands import StreamCommands
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.api.one_stream import follow


async def answered(command: pb.PlayCommand) -> pb.PlayAnswer:
    return pb.PlayAnswer(tag=command.tag)


class Stream:
    """Gives the same command for ever, and counts how often it got rid of it."""

    def __init__(self, command: pb.PlayCommand) -> None:
        self.commands = StreamCommands(answered, lambda: None)
        self.given = 0
        self._giving = asyncio.create_task(self._give(command))

    async def _give(self, command: pb.PlayCommand) -> None:
        while True:
            await self.commands.give(command)
            self.given += 1

    async def write_answers(self) -> int:
        """Take the answers there are, as a reader with room for them does."""
        answers = self.commands.take()
        self.commands.go_on()
        self.commands.forget(len(answers))
        await settled()
        return len(answers)

    async def close(self) -> None:
        self._giving.cancel()
        await asyncio.gather(*self.commands.cancel(), return_exceptions=True)


async def settled() -> None:
    """Let everything run that can run."""
    for _ in range(1_000):
        await asyncio.sleep(0)


async def held(command: pb.PlayCommand) -> int:
    """Return how many of these a stream takes whose answers nobody takes."""
    stream = Stream(command)
    await settled()
    first = stream.given
    for _ in range(3):
        written = await stream.write_answers()
        assert stream.given == first + written, "each answer makes room for another"
        first = stream.given
    await stream.close()
    return first - 3


async def test_so_many_commands_are_unanswered() -> None:
    assert await held(follow("m")) == 256


async def test_so_many_bytes_are_unanswered() -> None:
    assert await held(follow("m" * 20_000)) == 3


async def test_a_command_larger_than_all_the_room_has_it_to_itself() -> None:
    assert await held(follow("m" * 100_000)) == 1
