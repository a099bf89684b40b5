"""Streams opened and cancelled, again and again, at a server in a process of its own."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grpc import aio

from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.live_server import Calls, Guest
from tests.server_process import ServerProcess

AT_ONCE = 50
UNLIMITED = {
    "DURAK_CALLS_PER_SECOND": "1000000",
    "DURAK_ADDRESS_CALLS_PER_SECOND": "1000000",
    "DURAK_STREAMS_PER_PLAYER": "100000",
    # A stream that hinders the server from ending would do so for an hour.
    "DURAK_DRAIN_GRACE_SECONDS": "3600",
}
_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


@contextmanager
def streaming_server(data: Path, **settings: str) -> Iterator[ServerProcess]:
    """Serve in another process, without limits on calls, until the end of the block."""
    server = ServerProcess(data, settings=UNLIMITED | settings)
    try:
        yield server
    finally:
        server.kill()


@asynccontextmanager
async def connection(server: ServerProcess, **options: int) -> AsyncIterator[Calls]:
    """Connect once; double underscores in the names of channel options are dots."""
    chosen = [(f"grpc.{name.replace('__', '.')}", value) for name, value in options.items()]
    async with aio.insecure_channel(server.target, options=chosen) as channel:
        yield Calls(channel)


class Readable(Protocol):
    """A stream, read by hand."""

    async def read(self) -> object: ...


@dataclass(frozen=True)
class Opener:
    """Opens streams of one match, of both kinds by turns, reads their beginning and cancels."""

    guest: Guest
    match_id: str

    async def open_and_cancel(self, streams: int) -> None:
        """Do so many, some at a time."""
        numbers = iter(range(streams))
        await asyncio.gather(*(self._one_after_another(numbers) for _ in range(AT_ONCE)))

    async def _one_after_another(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            await (self._follow() if number % 2 else self._play())

    async def _follow(self) -> None:
        request = pb.StreamEventsRequest(match_id=self.match_id)
        call = self.guest.calls.play.StreamEvents(request, metadata=self.guest.metadata)
        assert await call.read()
        call.cancel()

    async def _play(self) -> None:
        call = self.guest.calls.play.Play(metadata=self.guest.metadata)
        follow = pb.PlayCommand(tag=1, follow=pb.FollowCommand(match_id=self.match_id))
        await call.write(pb.PlayRequest(commands=[follow]))
        message = await call.read()
        while isinstance(message, pb.PlayResponse) and not message.updates:
            message = await call.read()
        assert message is not aio.EOF
        call.cancel()


async def opener(calls: Calls) -> Opener:
    """Return somebody who opens streams of a match that he has made."""
    guest = await calls.guest()
    return Opener(guest, (await guest.create()).info.match_id)


def memory_kib(server: ServerProcess) -> int:
    """Return how much memory the server's process has in use."""
    pages = Path(f"/proc/{server.process_id}/statm").read_text("ascii").split()[1]
    return int(pages) * _PAGE_KIB
