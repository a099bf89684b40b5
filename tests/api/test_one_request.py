"""Calls that begin and bring no message: they are counted, and do not last."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from grpc import StatusCode, aio

from tests.api.tokenless import check_health
from tests.live_server import Calls, Failure, connected, failure_of, metric, running_server

METHODS = [
    "/durak.v1.AuthService/CreateGuest",
    "/durak.v1.PlayService/MakeMove",
    "/durak.v1.PlayService/StreamEvents",
    "/durak.v1.LobbyService/WatchLobby",
    "/grpc.health.v1.Health/Check",
    "/made.Up/Method",
]


async def nothing_for_ever() -> AsyncIterator[bytes]:
    await asyncio.Event().wait()
    yield b""


async def nothing_at_all() -> AsyncIterator[bytes]:
    messages: list[bytes] = []
    for message in messages:
        yield message


async def begin(calls: Calls, path: str, requests: AsyncIterator[bytes]) -> bytes:
    """Call a method as a client that sends its message later, or never."""
    method: aio.StreamUnaryMultiCallable[bytes, bytes] = calls.channel.stream_unary(path)
    return await method(requests)


def no_message(failure: Failure) -> bool:
    return (failure.code, failure.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


@pytest.mark.parametrize("path", METHODS)
async def test_a_call_is_not_without_its_message_for_long(path: str) -> None:
    async with running_server(request_seconds=0.05) as server, connected(server) as calls:
        assert no_message(await failure_of(begin(calls, path, nothing_for_ever())))


@pytest.mark.parametrize("path", METHODS)
async def test_a_call_that_ends_without_a_message_is_answered(calls: Calls, path: str) -> None:
    assert no_message(await failure_of(begin(calls, path, nothing_at_all())))


async def test_a_call_that_is_given_up_before_its_message_is_no_bad_request() -> None:
    async with running_server() as server, connected(server) as calls:
        path = "/durak.v1.AuthService/CreateGuest"
        labels = {"grpc_type": "unary", "grpc_service": "durak.v1.AuthService"}
        labels["grpc_method"] = "CreateGuest"
        waiting = asyncio.create_task(begin(calls, path, nothing_for_ever()))
        while not metric(server, "grpc_server_started_total", **labels):
            await check_health(calls.channel)

        waiting.cancel()

        ended = {"CANCELLED": 0.0, "INVALID_ARGUMENT": 0.0}
        while not any(ended.values()):
            await check_health(calls.channel)
            ended = {
                code: metric(server, "grpc_server_handled_total", **labels, grpc_code=code)
                for code in ended
            }
    assert ended == {"CANCELLED": 1, "INVALID_ARGUMENT": 0}


async def test_a_call_counts_when_it_begins() -> None:
    async with running_server(address_calls_per_second=0.01) as server, connected(server) as calls:
        path = "/durak.v1.AuthService/CreateGuest"
        waiting = asyncio.create_task(begin(calls, path, nothing_for_ever()))
        labels = {"grpc_type": "unary", "grpc_service": "durak.v1.AuthService"}
        while not metric(server, "grpc_server_started_total", grpc_method="CreateGuest", **labels):
            await check_health(calls.channel)

        assert (await failure_of(calls.guest())).reason == "RATE_LIMITED"
        waiting.cancel()
