"""Every limit: the answer says so, and when to come again; below it nothing is refused."""

import asyncio
from pathlib import Path

import pytest
from grpc import StatusCode, aio

from durak_server.api.token_bucket import TokenBuckets
from durak_server.config import Settings
from tests.api.buckets import take
from tests.live_server import (
    Calls,
    Failure,
    connected,
    failure_of,
    metric,
    read_failure,
    running_server,
    until,
)


def exhausted(failure: Failure, reason: str) -> bool:
    """Whether a failure is that of a limit, with all that belongs to it."""
    return (
        (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, reason)
        and failure.retry_seconds is not None
        and failure.pushback_ms == str(round(failure.retry_seconds * 1000))
    )


async def test_a_player_sits_at_so_many_running_matches() -> None:
    async with running_server(matches_per_player=2) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        await a.create(match_id="m")
        first = await b.create(match_id="one", request_id="1")
        await b.create(match_id="two")

        assert exhausted(await failure_of(b.create()), "TOO_MANY_MATCHES")
        assert exhausted(await failure_of(b.join("m")), "TOO_MANY_MATCHES")
        assert await b.create(match_id="one", request_id="1") == first
        assert (await b.join("one")).seat == 0
        await b.leave("one")
        assert (await b.join("m")).seat == 1


async def test_a_player_sits_at_no_more_matches_by_asking_for_many_at_once(
    tmp_path: Path,
) -> None:
    async with (
        running_server(store="sqlite", data=tmp_path, matches_per_player=3) as server,
        connected(server) as calls,
    ):
        a, b = await calls.guests(2)
        await b.create(match_id="m", rules={"seats": 6})

        answers = await asyncio.gather(
            *(a.create() for _ in range(20)), *(a.join("m") for _ in range(20)),
            return_exceptions=True,
        )  # fmt: skip

        refused = [error for error in answers if isinstance(error, aio.AioRpcError)]
        assert {read_failure(error).reason for error in refused} == {"TOO_MANY_MATCHES"}
        assert len((await a.my_matches()).matches) == 3


async def test_a_player_has_so_many_streams() -> None:
    async with running_server(streams_per_player=1) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        await a.create(match_id="m")
        stream = a.follow("m")
        await anext(stream)

        assert exhausted(await failure_of(a.followed("m")), "TOO_MANY_STREAMS")
        assert (await anext(b.follow("m"))).sequence == 3
        await stream.aclose()
        await until(lambda: not metric(server, "durak_streams"), b)
        assert (await anext(a.follow("m"))).sequence == 3


async def test_an_address_has_so_many_streams_whoever_has_them() -> None:
    async with running_server(streams_per_address=2) as server, connected(server) as calls:
        a, b, c = await calls.guests(3)
        await a.create(match_id="m")
        stream, lobby = a.follow("m"), b.watch_lobby()
        await anext(stream)
        await anext(lobby)

        failure = await failure_of(c.followed("m"))
        assert exhausted(failure, "TOO_MANY_STREAMS")
        assert failure.metadata == {"limit": "streams_per_address"}
        await lobby.aclose()
        await until(lambda: not metric(server, "durak_lobby_streams"), b)
        other = c.follow("m")
        assert (await anext(other)).sequence == 3
        await other.aclose()
        await stream.aclose()


async def test_by_default_nobody_multiplies_his_events_by_more_than_fifty_streams() -> None:
    usual = Settings.model_fields["streams_per_player"].default
    async with running_server(streams_per_player=usual) as server, connected(server) as calls:
        a = await calls.guest()
        await a.create(match_id="m")
        streams = [a.follow("m") for _ in range(50)]
        for stream in streams:
            await anext(stream)

        assert exhausted(await failure_of(a.followed("m")), "TOO_MANY_STREAMS")
        for stream in streams:
            await stream.aclose()


async def test_a_match_has_so_many_streams() -> None:
    async with running_server(streams_per_match=1) as server, connected(server) as calls:
        owner, a, b = await calls.guests(3)
        await owner.create(match_id="m")
        await owner.create(match_id="n")
        stream = a.follow("m")
        await anext(stream)

        assert exhausted(await failure_of(b.followed("m")), "TOO_MANY_STREAMS")
        assert (await anext(b.follow("n"))).sequence == 3
        await stream.aclose()


async def test_the_lobby_has_so_many_streams() -> None:
    async with running_server(lobby_streams=1) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        stream = a.watch_lobby()
        await anext(stream)

        assert exhausted(await failure_of(anext(b.watch_lobby())), "TOO_MANY_STREAMS")
        await stream.aclose()
        await until(lambda: not metric(server, "durak_lobby_streams"), b)
        again = b.watch_lobby()
        assert (await anext(again)).is_complete
        await again.aclose()


async def test_one_player_does_not_take_all_streams_of_the_lobby(calls: Calls) -> None:
    greedy, other = await calls.guests(2)
    streams = [greedy.watch_lobby() for _ in range(10)]
    for stream in streams:
        await anext(stream)

    assert exhausted(await failure_of(anext(greedy.watch_lobby())), "TOO_MANY_STREAMS")
    streams.append(other.watch_lobby())
    assert (await anext(streams[-1])).is_complete
    for stream in streams:
        await stream.aclose()


async def test_those_who_watch_a_match_do_not_keep_out_those_who_play() -> None:
    async with running_server(streams_per_match=1) as server, connected(server) as calls:
        owner, stranger = await calls.guests(2)
        match_id = (await owner.create()).info.match_id
        watching, playing = stranger.follow(match_id), owner.follow(match_id)
        await anext(watching)

        assert exhausted(await failure_of(anext(stranger.follow(match_id))), "TOO_MANY_STREAMS")
        assert (await anext(playing)).sequence
        for stream in (watching, playing):
            await stream.aclose()


async def test_streams_of_the_lobby_count_among_those_of_a_player() -> None:
    async with running_server(streams_per_player=1) as server, connected(server) as calls:
        a = await calls.guest()
        stream = a.watch_lobby()
        await anext(stream)

        assert exhausted(await failure_of(anext(a.watch_lobby())), "TOO_MANY_STREAMS")
        await stream.aclose()


async def test_a_player_may_call_so_often() -> None:
    async with running_server(calls_per_second=0.01) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        await a.my_matches()

        failure = await failure_of(a.my_matches())

        assert exhausted(failure, "RATE_LIMITED")
        assert failure.retry_seconds == pytest.approx(100, abs=5)
        assert (await b.my_matches()).matches == []


async def test_so_many_guests_come_from_one_address() -> None:
    async with running_server(guests_per_second=0.01) as server, connected(server) as calls:
        await calls.guest()

        async with connected(server) as again:
            assert exhausted(await failure_of(again.guest()), "RATE_LIMITED")


def test_a_bucket_holds_a_burst_and_fills_at_its_rate() -> None:
    now = 0.0
    buckets = TokenBuckets(per_second=2, burst=3, clock=lambda: now)

    assert [take(buckets, "a") for _ in range(5)] == [0, 0, 0, 0.5, 0.5]
    assert take(buckets, "b") == 0
    now = 0.25
    assert take(buckets, "a") == 0.25
    now = 0.5
    assert [take(buckets, "a"), take(buckets, "a")] == [0, 0.5]
    now = 1000
    assert [take(buckets, "a") for _ in range(4)] == [0, 0, 0, 0.5]
