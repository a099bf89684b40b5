"""A server whose answers hold what cannot be: whoever waits is told so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from durak_client import Client, Lost, Move, MoveKind, NotUnderstood
from durak_client.pb.durak.v1 import (
    event_pb2,
    lobby_service_pb2,
    match_pb2,
    play_service_pb2,
    view_pb2,
)
from tests.client.players import player
from tests.live_server import running_server

NEVER = {
    "a moment after all years": Timestamp(seconds=10**15),
    "two seconds of nanoseconds": Timestamp(nanos=2 * 10**9),
}
Requests = AsyncIterator[bytes]
Context = grpc.aio.ServicerContext[bytes, bytes]


class Odd(grpc.GenericRpcHandler):
    """A server by which everything happens at a moment that is none."""

    def __init__(self, moment: Timestamp) -> None:
        event = event_pb2.Event(sequence=1, recorded_at=moment)
        self._update = play_service_pb2.Update(match_id="m", sequence=1, events=[event])
        self._info = match_pb2.MatchInfo(match_id="m", created_at=moment)
        seat = view_pb2.SeatView(deadline=moment)
        deal = view_pb2.DealView(seats=[seat])
        self._view = view_pb2.View(match_id="m", sequence=1, deal=deal)
        self.streams = 0

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        match handler_call_details.method.rpartition("/")[2]:
            case "Play":
                return grpc.stream_stream_rpc_method_handler(self._play)
            case "StreamEvents":
                return grpc.unary_stream_rpc_method_handler(self._events)
            case "WatchLobby":
                return grpc.unary_stream_rpc_method_handler(self._lobby)
            case "GetView":
                return grpc.unary_unary_rpc_method_handler(self._get_view)
            case _:
                return None

    async def _play(self, requests: Requests, _: Context) -> AsyncIterator[bytes]:
        self.streams += 1
        yield b""
        while commands := play_service_pb2.PlayRequest.FromString(await anext(requests)).commands:
            if commands[-1].HasField("move"):  # left without an answer
                yield play_service_pb2.PlayResponse(updates=[self._update]).SerializeToString()
            else:
                followed = play_service_pb2.Followed()
                answers = [
                    play_service_pb2.PlayAnswer(tag=command.tag, followed=followed)
                    for command in commands
                ]
                yield play_service_pb2.PlayResponse(answers=answers).SerializeToString()

    async def _events(self, _request: bytes, _: Context) -> AsyncIterator[bytes]:
        self.streams += 1
        yield play_service_pb2.StreamEventsResponse(update=self._update).SerializeToString()

    async def _lobby(self, _request: bytes, _: Context) -> AsyncIterator[bytes]:
        self.streams += 1
        yield lobby_service_pb2.WatchLobbyResponse(added=[self._info]).SerializeToString()

    async def _get_view(self, _request: bytes, _: Context) -> bytes:
        return play_service_pb2.GetViewResponse(view=self._view).SerializeToString()


@asynccontextmanager
async def odd_server(moment: Timestamp) -> AsyncIterator[tuple[Client, Odd]]:
    server, handler = grpc.aio.server(), Odd(moment)
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with player(port, token="any") as client:
        yield client, handler
    await server.stop(None)


@pytest.mark.parametrize("case", NEVER)
async def test_a_stream_tells_all_who_wait_on_it_and_is_not_begun_again(case: str) -> None:
    async with odd_server(NEVER[case]) as (client, server), client.stream() as stream:
        waiting = [
            asyncio.ensure_future(anext(stream.match("m").follow())),
            asyncio.ensure_future(anext(stream.match("n").follow())),
            asyncio.ensure_future(stream.match("m").move(Move(MoveKind.TAKE))),
        ]
        told = await asyncio.gather(*waiting, return_exceptions=True)

        assert [type(error) for error in told] == [NotUnderstood] * 3
        with pytest.raises(NotUnderstood, match="the server's answer cannot be understood"):
            await anext(stream.match("n").follow())
        assert server.streams == 1


@pytest.mark.parametrize("case", NEVER)
async def test_a_follower_and_a_watcher_are_told_and_ask_no_more(case: str) -> None:
    async with odd_server(NEVER[case]) as (client, server):
        for updates in (client.follow("m"), client.watch_lobby()):
            async with aclosing(updates):
                with pytest.raises(NotUnderstood):
                    await anext(updates)
        assert server.streams == 2


@pytest.mark.parametrize("case", NEVER)
async def test_a_call_is_told(case: str) -> None:
    async with odd_server(NEVER[case]) as (client, _):
        with pytest.raises(NotUnderstood):
            await client.match("m").view()


async def test_what_the_users_own_function_raises_reaches_those_who_wait() -> None:
    def fail(_: Lost) -> None:
        raise KeyError("mine")

    async with running_server() as server, player(server.port) as client:
        match = await client.create_match()
        async with client.stream(fail) as stream:
            updates = stream.match(match).follow()
            await anext(updates)
            await server.drain()
            with pytest.raises(KeyError, match="mine"):
                await anext(updates)
