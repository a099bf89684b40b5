"""However fast the lobby changes, a stream to it tells of that a few times a second."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from typing import Final

import pytest

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import lobby_service_pb2, match_pb2
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    metric,
    server_at,
    until,
)

PAUSE: Final = 3.25
"""Seconds; nothing else in the server waits for so long."""
News = lobby_service_pb2.WatchLobbyResponse
Stream = AsyncGenerator[News, None]


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
async def server(time: FakeTime) -> AsyncIterator[DurakServer]:
    """A server whose streams to the lobby pause, by a time that stands still."""
    settings = {"lobby_pause_seconds": PAUSE, "drain_grace_seconds": 3600}
    async with server_at(time.keeper, **settings) as server:
        yield server


async def pausing(watcher: Guest, maker: Guest, time: FakeTime) -> Stream:
    """Return a stream that has told of a first match, and now tells nothing for a while."""
    stream = watcher.watch_lobby()
    assert (await anext(stream)).is_complete
    await maker.create(match_id="first", rules={"seats": 3})
    assert ids((await anext(stream)).added) == ["first"]  # at once
    await until(lambda: time.is_awaited_in(PAUSE), maker)
    return stream


def ids(matches: Iterable[match_pb2.MatchInfo]) -> list[str]:
    return [info.match_id for info in matches]


async def test_what_changes_in_a_pause_comes_as_one_message(calls: Calls, time: FakeTime) -> None:
    watcher, a, b = await calls.guests(3)
    stream = await pausing(watcher, a, time)
    for _ in range(5):
        await b.join("first")
        await b.leave("first")
    await b.join("first")
    await b.create(match_id="second")

    time.advance(PAUSE)

    news = await anext(stream)
    assert (ids(news.added), ids(news.changed)) == (["second"], ["first"])
    assert news.changed[0].seats[1].player_id == b.player_id
    await stream.aclose()


async def test_after_a_quiet_pause_the_next_change_is_told_at_once(
    calls: Calls, time: FakeTime
) -> None:
    watcher, a, b = await calls.guests(3)
    stream = await pausing(watcher, a, time)
    time.advance(PAUSE)

    await b.join("first")

    assert ids((await anext(stream)).changed) == ["first"]
    await stream.aclose()


async def test_what_one_message_cannot_hold_follows_without_a_pause(
    calls: Calls, time: FakeTime
) -> None:
    watcher, a, b = await calls.guests(3)
    stream = await pausing(watcher, a, time)
    for _ in range(150):
        await b.create()

    time.advance(PAUSE)

    assert [len((await anext(stream)).added) for _ in range(2)] == [100, 50]
    await stream.aclose()


async def test_what_changes_while_a_message_is_written_waits_for_the_pause(
    server: DurakServer, time: FakeTime
) -> None:
    def written() -> float:
        labels = {"grpc_service": "durak.v1.LobbyService", "grpc_method": "WatchLobby"}
        return metric(server, "grpc_server_msg_sent_total", grpc_type="server_stream", **labels)

    async with (
        connected(server) as calls,
        # A connection that buffers next to nothing: a large message is written while it is read.
        connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow,
    ):
        watcher, a, b = await calls.guests(3)
        reader = Guest(narrow, watcher.name, watcher.player_id, watcher.token)
        stream = await pausing(reader, a, time)
        for _ in range(100):
            await b.create()
        time.advance(PAUSE)
        await b.join("first")
        assert len((await anext(stream)).added) == 100
        await until(lambda: time.is_awaited_in(PAUSE), a)

        assert written() == 3
        time.advance(PAUSE)
        assert ids((await anext(stream)).changed) == ["first"]
        await stream.aclose()


async def test_a_drain_ends_a_stream_that_pauses(
    server: DurakServer, calls: Calls, time: FakeTime
) -> None:
    watcher, a = await calls.guests(2)
    stream = await pausing(watcher, a, time)

    async with asyncio.timeout(60):
        await server.drain()
        failure = await failure_of(anext(stream))

    assert failure.reason == "SHUTTING_DOWN"
