"""Streams that are written to while the server ends them: what it says, and what arrives."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode, aio
from grpc_status import rpc_status

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceStub
from tests.api.one_stream import unfollow
from tests.live_server import Guest, connected, metric, running_server, until

Stream: TypeAlias = "aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"

STREAMS = 40
UNBOUNDED = {"calls_per_second": 1e6, "address_calls_per_second": 1e6}
OF_THE_LIBRARY = "Internal error from Core"
"""What gRPC's asyncio client puts in the place of a stream's end (grpc/grpc issue 36066)."""


def of_play(server: DurakServer, counter: str, **labels: str) -> float:
    play = {"grpc_type": "bidi_stream", "grpc_service": "durak.v1.PlayService"}
    return metric(server, counter, grpc_method="Play", **play, **labels)


async def ended(server: DurakServer, guest: Guest, streams: int) -> None:
    """End streams that are all written to, and demand that all are ended by one status.

    As a drain does, but the connection stays: where it is closed while a client still writes, the
    kernel may throw away what he has not read.
    """
    await until(lambda: metric(server, "durak_streams") == streams, guest)
    await until(lambda: of_play(server, "grpc_server_msg_received_total") > 20 * streams, guest)
    server.live.end_streams()
    await until(lambda: sum(codes_of_play(server).values()) == streams, guest)
    assert codes_of_play(server) == {"UNAVAILABLE": streams}


def codes_of_play(server: DurakServer) -> dict[str, float]:
    codes = {
        code.name: of_play(server, "grpc_server_handled_total", grpc_code=code.name)
        for code in StatusCode
    }
    return {code: number for code, number in codes.items() if number}


async def test_a_blocking_client_is_told_how_the_stream_that_it_writes_to_ended() -> None:
    async with running_server(**UNBOUNDED) as server, connected(server) as calls:
        guest = await calls.guest()
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            ends = [
                asyncio.create_task(asyncio.to_thread(end_of, channel, guest)) for _ in range(4)
            ]
            await ended(server, guest, len(ends))

            assert await asyncio.gather(*ends) == ["SHUTTING_DOWN"] * len(ends)


async def test_what_an_asyncio_client_makes_of_it_is_not_from_the_server() -> None:
    async with running_server(**UNBOUNDED) as server, connected(server) as calls:
        guest = await calls.guest()
        streams = [calls.play.Play(metadata=guest.metadata) for _ in range(STREAMS)]
        writing = [asyncio.create_task(write_for_ever(stream)) for stream in streams]
        reading = [asyncio.create_task(failure_text(stream)) for stream in streams]
        await ended(server, guest, STREAMS)

        told = Counter(await asyncio.gather(*reading))
        await asyncio.gather(*writing)
    assert set(told) <= {
        "The server is being replaced; come again in half a second.",
        OF_THE_LIBRARY,
    }


async def write_for_ever(stream: Stream) -> None:
    with suppress(aio.AioRpcError, asyncio.InvalidStateError):
        while True:
            await stream.write(pb.PlayRequest(commands=[unfollow("m")]))


async def failure_text(stream: Stream) -> str:
    try:
        while await stream.read() is not aio.EOF:
            pass
    except aio.AioRpcError as error:
        return error.details() or ""
    raise AssertionError("the stream ended without an error")


def end_of(channel: grpc.Channel, guest: Guest) -> str:
    """Write to a stream until it ends, by gRPC's other client; return the reason that came."""

    def commands() -> Iterator[pb.PlayRequest]:
        while True:
            yield pb.PlayRequest(commands=[unfollow("m")])

    call = PlayServiceStub(channel).Play(commands(), metadata=guest.metadata)
    with pytest.raises(grpc.RpcError):
        deque(call, maxlen=0)
    status = rpc_status.from_call(call)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return info.reason
