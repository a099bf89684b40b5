"""One stream of Play, its commands sent and its answers read by hand."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from grpc import aio

from durak_server.pb.durak.v1 import move_pb2
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.live_server import Guest


class OneStream:
    """Sends commands, each with the next tag from 1, and keeps whatever came.

    `messages` are what came so far, without the heartbeats.
    """

    def __init__(self, call: "aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]") -> None:
        self.call = call
        self.messages: list[pb.PlayResponse] = []
        self._tag = 0

    async def send(self, *commands: pb.PlayCommand) -> list[int]:
        """Send commands in one message; return their tags."""
        for command in commands:
            self._tag += 1
            command.tag = self._tag
        await self.call.write(pb.PlayRequest(commands=commands))
        return [command.tag for command in commands]

    async def read(self) -> pb.PlayResponse:
        """Return the next message that is no heartbeat."""
        while True:
            message = await self.call.read()
            assert isinstance(message, pb.PlayResponse), "the stream ended"
            if message.ByteSize():
                self.messages.append(message)
                return message

    async def ask(self, *commands: pb.PlayCommand) -> list[pb.PlayAnswer]:
        """Send commands and return their answers once all are there, in the commands' order."""
        tags = await self.send(*commands)
        found: dict[int, pb.PlayAnswer] = {}
        while len(found) < len(tags):
            message = await self.read()
            found |= {answer.tag: answer for answer in message.answers}
        assert sorted(found) == tags, "one answer for each"
        return [found[tag] for tag in tags]

    async def rest(self) -> None:
        """Read to the end; an error of the stream is raised."""
        while (message := await self.call.read()) is not aio.EOF:
            assert isinstance(message, pb.PlayResponse)
            if message.ByteSize():
                self.messages.append(message)

    async def news_of(self, match_ids: Iterable[str]) -> dict[str, pb.Update]:
        """Read until there was an update of each; return the last of each since we asked."""
        missing = set(match_ids)
        last: dict[str, pb.Update] = {}
        while missing:
            for update in (await self.read()).updates:
                missing.discard(update.match_id)
                last[update.match_id] = update
        return last

    @property
    def updates(self) -> list[pb.Update]:
        """All updates so far."""
        return [update for message in self.messages for update in message.updates]


@asynccontextmanager
async def one_stream(guest: Guest) -> AsyncIterator[OneStream]:
    """Open a stream, begun once the server says so; cancel it at the end of the block."""
    call = guest.calls.play.Play(metadata=guest.metadata)
    assert await call.read() == pb.PlayResponse()
    try:
        yield OneStream(call)
    finally:
        call.cancel()


def follow(
    match_id: str,
    after: int = 0,
    **fields: Any,  # Any: each field has a type of its own
) -> pb.PlayCommand:
    return pb.PlayCommand(
        follow=pb.FollowCommand(match_id=match_id, after_sequence=after, **fields)
    )


def unfollow(match_id: str) -> pb.PlayCommand:
    return pb.PlayCommand(unfollow=pb.UnfollowCommand(match_id=match_id))


def move(
    match_id: str,
    move: move_pb2.Move,
    **fields: Any,  # Any: as above
) -> pb.PlayCommand:
    return pb.PlayCommand(move=pb.MakeMoveRequest(match_id=match_id, move=move, **fields))


async def by_turn(match_id: str, players: list[Guest]) -> list[Guest]:
    """Return the players of a match of two, first whose turn it is."""
    views = [await player.view(match_id) for player in players]
    return players if views[0].legal_moves else players[::-1]
