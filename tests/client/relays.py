"""Bad networks between a client and a real server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from durak_client.pb.durak.v1 import play_service_pb2

LOOPBACK = "127.0.0.1"
FarStream = grpc.aio.UnaryStreamMultiCallable[bytes, play_service_pb2.StreamEventsResponse]
Updates = AsyncIterator[play_service_pb2.StreamEventsResponse]


class Wire:
    """A TCP relay whose connections can be cut or frozen; new ones work again."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.transport.abort()

    def freeze(self) -> None:
        """Keep every connection open and carry nothing over it any more, as a dead phone does."""
        for task in self._tasks:
            task.cancel()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        try:
            far_reader, far_writer = await asyncio.open_connection(LOOPBACK, self._target_port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(_carry(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    except OSError:
        pass
    sink.transport.abort()


@asynccontextmanager
async def wire_to(port: int) -> AsyncIterator[Wire]:
    """Relay to a port of this machine."""
    wire = Wire(port)
    server = await asyncio.start_server(wire.serve, LOOPBACK, 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        wire.cut()
        wire.freeze()
        await server.wait_closed()


async def straight(updates: Updates, _connection: int) -> Updates:
    """Pass a stream on as it is."""
    async for update in updates:
        yield update


@dataclass
class Misdeeds:
    """What a relay does to calls.

    `lose_answers` calls of MakeMove are carried out and their answers lost, which looks like
    `lost_as`; `refuse` calls of it are refused for being too many. `twist` makes of a stream what
    the client shall get; it is told how many streams there were before.
    """

    lose_answers: int = 0
    lost_as: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE
    refuse: int = 0
    twist: Callable[[Updates, int], Updates] = straight
    moves: list[bytes] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)


class _Relay(grpc.GenericRpcHandler):
    """Passes calls on byte by byte, except where misdeeds say otherwise."""

    def __init__(self, channel: grpc.aio.Channel, misdeeds: Misdeeds) -> None:
        self._channel = channel
        self._misdeeds = misdeeds

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        method = handler_call_details.method
        if method.endswith("/StreamEvents"):
            return grpc.unary_stream_rpc_method_handler(self._stream)

        async def pass_on(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            return await self._call(method, request, context)

        return grpc.unary_unary_rpc_method_handler(pass_on)

    async def _call(
        self, method: str, request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> bytes:
        is_move = method.endswith("/MakeMove")
        misdeeds = self._misdeeds
        misdeeds.calls[method.rpartition("/")[2]] += 1
        if is_move:
            misdeeds.moves.append(request)
            if misdeeds.refuse > 0:
                misdeeds.refuse -= 1
                pushback = (("grpc-retry-pushback-ms", "5"),)
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many", pushback)
        far: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(method)
        answer = await far(request, metadata=_passed_on(context))
        if is_move and misdeeds.lose_answers > 0:
            misdeeds.lose_answers -= 1
            await context.abort(misdeeds.lost_as, "the answer was lost")
        return answer

    async def _stream(
        self, request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        connection = self._misdeeds.calls["StreamEvents"]
        self._misdeeds.calls["StreamEvents"] += 1
        far: FarStream = self._channel.unary_stream(
            "/durak.v1.PlayService/StreamEvents",
            response_deserializer=play_service_pb2.StreamEventsResponse.FromString,
        )
        call = far(request, metadata=_passed_on(context))
        try:
            async for update in self._misdeeds.twist(aiter(call), connection):
                yield update.SerializeToString()
        finally:
            call.cancel()


def _passed_on(context: grpc.aio.ServicerContext[bytes, bytes]) -> tuple[tuple[str, str], ...]:
    ours = {"authorization", "x-match-id"}
    metadata = context.invocation_metadata() or ()
    return tuple((key, str(value)) for key, value in metadata if key in ours)


@asynccontextmanager
async def relay_to(port: int, misdeeds: Misdeeds) -> AsyncIterator[int]:
    """Relay calls to a server at `port`; yield the relay's own port."""
    server = grpc.aio.server()
    async with grpc.aio.insecure_channel(f"{LOOPBACK}:{port}") as channel:
        server.add_generic_rpc_handlers((_Relay(channel, misdeeds),))
        own_port = server.add_insecure_port(f"{LOOPBACK}:0")
        await server.start()
        try:
            yield own_port
        finally:
            await server.stop(None)
