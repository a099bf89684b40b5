"""What is sent on a stream that is being refused can hide the reason: the client waits a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import grpc

from durak_client import DurakError
from durak_client.pb.durak.v1 import play_service_pb2
from tests.client.players import player
from tests.live_server import running_server

ROUND_TRIPS = 20
"""After so many, whatever had been sent before them has arrived."""


class SlowToGreet(grpc.GenericRpcHandler):
    """A server that has streams of Play alone, and says nothing on them until it is told to."""

    def __init__(self) -> None:
        self.called = asyncio.Event()
        self.may_greet = asyncio.Event()
        self.was_early = False
        """Whether the client sent something before it heard anything."""
        self.told: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        is_play = handler_call_details.method.endswith("/Play")
        return grpc.stream_stream_rpc_method_handler(self._play) if is_play else None

    async def _play(
        self, requests: AsyncIterator[bytes], _: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        reading = asyncio.ensure_future(anext(requests))
        self.called.set()
        await self.may_greet.wait()
        self.was_early = reading.done()
        yield b""
        self.told.set_result(await reading)


async def test_nothing_is_sent_on_a_stream_before_its_first_message() -> None:
    async with running_server() as real, player(real.port) as guest:
        token = guest.token
    server, handler = grpc.aio.server(), SlowToGreet()
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with player(port, token=token) as client, client.stream() as stream:
        following = asyncio.ensure_future(anext(stream.match("m").follow()))
        await handler.called.wait()
        for _ in range(ROUND_TRIPS):
            with suppress(DurakError):
                await client.match("m").view()
        handler.may_greet.set()
        sent = play_service_pb2.PlayRequest.FromString(await handler.told)
        following.cancel()
    await server.stop(None)
    assert [command.follow.match_id for command in sent.commands] == ["m"]
    assert not handler.was_early
