"""Who reads a long log waits longer until his next call: such a reading counts as several."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from durak_server.pb.durak.v1 import replay_service_pb2 as pb
from tests.api.one_stream import follow, one_stream
from tests.live_server import (
    Guest,
    connected,
    failure_of,
    play_to_the_end,
    running_server,
    started_match,
)


@dataclass(frozen=True)
class Played:
    """A long match that is over, in a store of its own, and one who sat there."""

    data: Path
    match_id: str
    events: int
    token: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return asyncio.run(_played(tmp_path_factory.mktemp("played")))


async def _played(data: Path) -> Played:
    async with running_server(store="sqlite", data=data) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players, rules={"deals": 4})
        await play_to_the_end(match_id, players)
        events = (await players[0].view(match_id)).sequence
        return Played(data, match_id, events, players[0].token)


async def on_a_stream(guest: Guest, match_id: str) -> int:
    return len(await guest.followed(match_id))


async def on_a_play_stream(guest: Guest, match_id: str) -> int:
    async with one_stream(guest) as stream:
        await stream.send(follow(match_id))
        while not (stream.updates and stream.updates[-1].is_final):
            await stream.read()
        return sum(len(update.events) for update in stream.updates)


async def as_a_replay(guest: Guest, match_id: str) -> int:
    request = pb.GetReplayRequest(match_id=match_id)
    return len((await guest.calls.replay.GetReplay(request, metadata=guest.metadata)).events)


async def as_text(guest: Guest, match_id: str) -> int:
    request = pb.ExportGameRequest(match_id=match_id)
    answer = await guest.calls.replay.ExportGame(request, metadata=guest.metadata)
    return len(answer.text)


READINGS = (on_a_stream, on_a_play_stream, as_a_replay, as_text)


@pytest.mark.parametrize("limit", ["calls_per_second", "address_calls_per_second"])
@pytest.mark.parametrize("read", READINGS)
async def test_a_long_reading_counts_as_several_calls(
    read: Callable[[Guest, str], Awaitable[int]], limit: str, played: Played
) -> None:
    assert played.events >= 400
    rates = {limit: 1.0}  # two at once
    async with (
        running_server(store="sqlite", data=played.data, **rates) as server,
        connected(server) as calls,
    ):
        reader = Guest(calls, "", "", played.token)
        assert await read(reader, played.match_id) >= played.events

        failure = await failure_of(_until_refused(reader))

    assert failure.metadata == {"limit": limit}
    assert failure.retry_seconds is not None
    # A reading that counts as one call, or as two, has to wait for a second at most.
    assert 1 < failure.retry_seconds <= 1 + played.events // 200


async def _until_refused(guest: Guest) -> None:
    for _ in range(2):
        await guest.my_matches()


async def test_a_short_reading_is_one_call(played: Played) -> None:
    async with (
        running_server(store="sqlite", data=played.data, calls_per_second=0.01) as server,
        connected(server) as calls,
    ):
        reader = Guest(calls, "", "", played.token)
        await reader.followed(played.match_id, after=played.events - 199)

        failure = await failure_of(reader.my_matches())

    assert failure.retry_seconds == pytest.approx(100, abs=5)
