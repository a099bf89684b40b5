"""What it costs a server to take its matches up and to begin their streams again.

Matches of two stand in a store with their clocks running. A server starts, and all players come
back at once, each on a connection of his own, to the event after the last that they have seen. Then
all break off and come back once more, to matches that are in memory by now. The floor is a bare
grpc.aio server, whose streams begin with an empty message. CPU is that of the server's process;
only ratios can be compared between machines. `make bench-resume`.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from grpc import aio

from bench.serving import UNLIMITED, Server, running
from bench.stored_seats import Seat, stored_seats
from durak_server.api import Caller, Scope, Tokens
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceStub

if TYPE_CHECKING:
    from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceAsyncStub

SECRET = "known to everybody who reads this benchmark"
SETTINGS = {**UNLIMITED, "DURAK_TOKEN_SECRET": SECRET}
BARE = str(Path(__file__).with_name("bare_server.py"))
_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
_QUIET_SECONDS = 1.0

Metadata: TypeAlias = tuple[tuple[str, str], ...]
Return: TypeAlias = (
    "Callable[[PlayServiceAsyncStub, Seat, Metadata], Awaitable[Callable[[], bool]]]"
)
"""Begins a stream, waits for its first word of the match, and returns how it is broken off."""


async def by_calls(
    stub: "PlayServiceAsyncStub", seat: Seat, metadata: Metadata
) -> Callable[[], bool]:
    """Come back by `StreamEvents`."""
    request = pb.StreamEventsRequest(match_id=seat.match_id, after_sequence=seat.sequence)
    stream = stub.StreamEvents(request, metadata=metadata)
    await stream.read()
    return stream.cancel


async def by_play(
    stub: "PlayServiceAsyncStub", seat: Seat, metadata: Metadata
) -> Callable[[], bool]:
    """Come back by a command on a stream of `Play`."""
    stream = stub.Play(metadata=metadata)
    follow = pb.FollowCommand(match_id=seat.match_id, after_sequence=seat.sequence)
    await stream.write(pb.PlayRequest(commands=[pb.PlayCommand(tag=1, follow=follow)]))
    async for response in stream:
        if response.updates:
            break
    return stream.cancel


async def back_twice(server: Server, seats: Sequence[Seat], come: Return) -> tuple[float, float]:
    """Let all players come back two times; return the milliseconds of CPU of each stream."""
    return await _all_back(server, seats, come), await _all_back(server, seats, come)


async def _all_back(server: Server, seats: Sequence[Seat], come: Return) -> float:
    tokens = Tokens(SECRET, timedelta(days=1), lambda: datetime.now(UTC))
    in_an_hour = (datetime.now(UTC) + timedelta(hours=1)).timestamp()
    before = server.cpu_seconds()
    async with AsyncExitStack() as stack:

        async def come_back(seat: Seat) -> None:
            channel = aio.insecure_channel(server.target, options=_OWN_CONNECTION)
            stub = PlayServiceStub(await stack.enter_async_context(channel))
            caller = Caller(seat.player_id, "A", frozenset({Scope.PLAY}), in_an_hour)
            bearer = (("authorization", f"Bearer {tokens.sign(caller)}"),)
            stack.callback(await come(stub, seat, bearer))

        await asyncio.gather(*map(come_back, seats))
        used = server.cpu_seconds() - before
    await _quiet(server)
    return used * 1000 / len(seats)


async def _quiet(server: Server) -> None:
    """Return once the server has nothing more to do."""
    used = -1.0
    while server.cpu_seconds() - used > 0.05 * _QUIET_SECONDS:
        used = server.cpu_seconds()
        await asyncio.sleep(_QUIET_SECONDS)


def main() -> None:
    """Print a line for each way to come back, and the ratios to the bare server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--moves", type=int, default=30, help="made in each before")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        file = Path(data, "durak.sqlite")
        seats = asyncio.run(stored_seats(file, chosen.matches, chosen.moves))
        with running(BARE) as server:
            floor, _ = asyncio.run(back_twice(server, seats, by_calls))
        print(f"{'bare':<12}{floor:6.2f} ms of CPU a stream")
        serve = ["-m", "durak_server", "serve", "--data", data]
        serve += ["--listen", "127.0.0.1:0", "--metrics-listen", ""]
        for name, come in (("calls", by_calls), ("Play", by_play)):
            with running(*serve, settings=SETTINGS) as server:
                fresh, again = asyncio.run(back_twice(server, seats, come))
            print(
                f"{name:<12}{fresh:6.2f} after a start ({fresh / floor:4.1f} times bare),"
                f" {again:6.2f} in memory ({again / floor:4.1f} times)"
            )


if __name__ == "__main__":
    main()
