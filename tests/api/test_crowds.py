"""Many who only watch, from one address: they take no place of others, least of all of players."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any

import pytest
from grpc import StatusCode, aio

from durak_server.app import DurakServer
from tests.api.one_stream import follow, one_stream, unfollow
from tests.live_server import (
    Calls,
    Failure,
    Guest,
    Metadata,
    connected,
    failure_of,
    metric,
    read_failure,
    running_server,
    until,
)

LIMIT = "watching_streams_per_address"
CROWDED, ELSEWHERE = "203.0.113.1", "203.0.113.2"
TOO_MANY = Failure(
    StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_STREAMS",
    "The address has 2 streams open to watch this, the most there may be.",
    {"limit": LIMIT},
    retry_seconds=10.0,
    pushback_ms="10000",
)


@dataclass(frozen=True)
class Visitor(Guest):
    """A guest whose address a proxy tells."""

    address: str = ""

    @property
    def metadata(self) -> Metadata:
        """What proves who calls, and where from."""
        return (*super().metadata, ("x-forwarded-for", self.address))


@pytest.fixture
async def server() -> AsyncIterator[DurakServer]:
    """A server behind a proxy, at which two of an address may watch the same."""
    limits: dict[str, Any] = {LIMIT: 2}  # Any: each setting has a type of its own
    async with running_server(**limits, trusted_proxies="127.0.0.0/8") as server:
        yield server


@pytest.fixture
async def calls(server: DurakServer) -> AsyncIterator[Calls]:
    """The proxy's connection."""
    async with connected(server) as calls:
        yield calls


async def visitor(calls: Calls, address: str) -> Visitor:
    guest = await calls.guest()
    return Visitor(calls, guest.name, guest.player_id, guest.token, address)


async def test_a_crowd_from_one_address_leaves_room_at_a_match_for_others(
    server: DurakServer, calls: Calls
) -> None:
    owner = await visitor(calls, CROWDED)
    for match_id in ("m", "n"):
        await owner.create(match_id=match_id)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            watching = (await visitor(calls, CROWDED)).follow("m")
            await stack.enter_async_context(aclosing(watching))
            await anext(watching)
        another, elsewhere = await visitor(calls, CROWDED), await visitor(calls, ELSEWHERE)

        assert await failure_of(another.followed("m")) == TOO_MANY
        assert (await anext(another.follow("n"))).sequence == 3
        assert (await anext(elsewhere.follow("m"))).sequence == 3
        assert (await anext(owner.follow("m"))).sequence == 3, "players are let in from anywhere"

    assert metric(server, "durak_streams_refused_total", limit=LIMIT) == 1
    await until(lambda: not metric(server, "durak_streams"), another)
    assert (await anext(another.follow("m"))).sequence == 3, "places that were left are free"


async def test_nor_does_a_crowd_on_streams_of_play(calls: Calls) -> None:
    owner = await visitor(calls, CROWDED)
    await owner.create(match_id="m")
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(one_stream(await visitor(calls, CROWDED)))
            for _ in range(3)
        ]
        playing = await stack.enter_async_context(one_stream(owner))
        answers = [(await stream.ask(follow("m")))[0] for stream in streams]
        (of_player,) = await playing.ask(follow("m"))
        again, _ = await streams[0].ask(follow("m"), unfollow("m"))
        (freed,) = await streams[2].ask(follow("m"))

    kinds = [answer.WhichOneof("kind") for answer in (*answers, of_player, again, freed)]
    assert kinds == ["followed", "followed", "refusal", "followed", "followed", "followed"]
    assert answers[2].refusal.reason == "TOO_MANY_STREAMS"
    assert answers[2].refusal.metadata == {"limit": LIMIT}


async def test_a_crowd_from_one_address_leaves_room_in_the_lobby_for_others(calls: Calls) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(2):
            watching = (await visitor(calls, CROWDED)).watch_lobby()
            await stack.enter_async_context(aclosing(watching))
            await anext(watching)

        another, elsewhere = await visitor(calls, CROWDED), await visitor(calls, ELSEWHERE)
        assert await failure_of(anext(another.watch_lobby())) == TOO_MANY
        assert (await anext(elsewhere.watch_lobby())).is_complete


async def test_players_who_open_many_streams_take_no_place_of_those_who_watch() -> None:
    async with running_server(streams_per_match=1) as server, connected(server) as calls:
        owner, stranger = await calls.guests(2)
        await owner.create(match_id="m", rules={"seats": 3})
        async with AsyncExitStack() as stack:
            for _ in range(3):
                playing = owner.follow("m")
                await stack.enter_async_context(aclosing(playing))
                await anext(playing)
            await stranger.join("m")
            await owner.leave("m")

            late = await calls.guest()
            assert (await anext(late.follow("m"))).sequence


async def test_who_leaves_his_seat_watches_with_as_many_streams_as_others(calls: Calls) -> None:
    owner, player = await visitor(calls, ELSEWHERE), await visitor(calls, CROWDED)
    await owner.create(match_id="m", rules={"seats": 3})
    await player.join("m")
    async with AsyncExitStack() as stack:
        streams = [player.follow("m") for _ in range(5)]
        for stream in streams:
            await stack.enter_async_context(aclosing(stream))
            await anext(stream)

        await player.leave("m")
        heard = await asyncio.gather(*map(anext, streams), return_exceptions=True)

        failures = [read_failure(error) for error in heard if isinstance(error, aio.AioRpcError)]
        assert failures == [TOO_MANY] * 3
        another = await visitor(calls, CROWDED)
        assert await failure_of(another.followed("m")) == TOO_MANY


async def test_so_he_does_on_streams_of_play(calls: Calls) -> None:
    owner, player = await visitor(calls, ELSEWHERE), await visitor(calls, CROWDED)
    await owner.create(match_id="m", rules={"seats": 3})
    await player.join("m")
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(one_stream(player)) for _ in range(3)]
        for stream in streams:
            await stream.ask(follow("m"))
            if not stream.updates:
                await stream.read()

        await player.leave("m")
        heard = [await stream.read() for stream in streams]

    ended = [end.refusal for message in heard for end in message.ended]
    assert [(end.reason, dict(end.metadata)) for end in ended] == [
        ("TOO_MANY_STREAMS", {"limit": LIMIT})
    ]
