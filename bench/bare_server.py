"""A server without a game: a unary call sends one message to each stream of its match.

What `durak-server` costs above it is the game's; below it nothing written with grpc.aio gets.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

from grpc import aio

from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import (
    PlayServiceServicer,
    add_PlayServiceServicer_to_server,
)

Context = aio.ServicerContext[Any, Any]  # Any: every method has messages of its own


class BarePlay(PlayServiceServicer):
    """Takes moves of any kind, and tells everybody that there was one."""

    def __init__(self) -> None:
        self._streams: dict[str, list[asyncio.Queue[int]]] = defaultdict(list)

    async def MakeMove(  # noqa: N802  (named by the contract)
        self, request: pb.MakeMoveRequest, context: Context
    ) -> pb.MakeMoveResponse:
        """Tell every stream of the match."""
        for stream in self._streams[request.match_id]:
            stream.put_nowait(request.expected_sequence)
        return pb.MakeMoveResponse(sequence=request.expected_sequence)

    async def StreamEvents(  # noqa: N802
        self, request: pb.StreamEventsRequest, context: Context
    ) -> AsyncIterator[pb.StreamEventsResponse]:
        """Yield an empty update at once, then one for each move."""
        news: asyncio.Queue[int] = asyncio.Queue()
        self._streams[request.match_id].append(news)
        yield pb.StreamEventsResponse()
        while True:
            update = pb.Update(match_id=request.match_id, sequence=await news.get())
            yield pb.StreamEventsResponse(update=update)


async def serve() -> None:
    """Serve until the process is ended; the port is the first line of output."""
    server = aio.server()
    bare = BarePlay()  # type: ignore[abstract]  # the other calls are refused, and never made
    add_PlayServiceServicer_to_server(bare, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"serves on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve())
