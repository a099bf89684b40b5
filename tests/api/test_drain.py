"""A server that stops: nobody loses a move, and everybody is told where he stands."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2

from tests.api.tokenless import LIST_SERVICES, reflect, watch_health
from tests.live_server import (
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    running_server,
    started_match,
    until,
)

STARTED = "grpc_server_started_total"
A_MOVE = {
    "grpc_type": "unary",
    "grpc_service": "durak.v1.PlayService",
    "grpc_method": "MakeMove",
}


async def test_streams_end_unavailable_with_a_time_to_come_back() -> None:
    async with running_server() as server, connected(server) as calls:
        guests = await calls.guests(50)
        await guests[0].create(match_id="m")
        streams = [guest.follow("m") for guest in guests]
        for stream in streams:
            await anext(stream)

        await server.drain()

        for stream in streams:
            failure = await failure_of(anext(stream))
            assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
            assert failure.pushback_ms == "500"


async def test_while_it_settles_matches_are_played_on_but_none_is_made() -> None:
    async with running_server(drain_settle_seconds=3600) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        watch = watch_health(calls.channel)
        assert (await watch.read()) == health_pb2.HealthCheckResponse(status="SERVING")
        stream = players[0].follow(match_id)
        await anext(stream)

        drain = asyncio.create_task(server.drain())
        assert (await watch.read()) == health_pb2.HealthCheckResponse(status="NOT_SERVING")

        refused = await failure_of(players[0].create())
        view = await players[0].view(match_id)
        mover = players[0] if view.legal_moves else players[1]
        await mover.move(match_id, first_move(await mover.view(match_id)))
        assert (await anext(stream)).events[0].WhichOneof("kind") == "led"
        assert (refused.code, refused.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
        assert (refused.retry_seconds, refused.text) == (
            2.0,
            "The server is being replaced and takes no new matches; come again in 2 seconds.",
        )
        await stream.aclose()
        watch.cancel()
        drain.cancel()
        await asyncio.wait([drain])


async def test_health_watches_and_reflection_do_not_hold_a_drain_up() -> None:
    async with running_server(drain_grace_seconds=3600) as server, connected(server) as calls:
        watch, asked = watch_health(calls.channel), reflect(calls.channel)
        await watch.read()
        await asked.write(LIST_SERVICES)
        await asked.read()

        async with asyncio.timeout(60):
            await server.drain()

        assert (await watch.read()) == health_pb2.HealthCheckResponse(status="NOT_SERVING")
        for stream in (watch.read(), asked.read()):
            failure = await failure_of(stream)
            assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
            assert failure.pushback_ms == "500"


async def test_a_stream_whose_first_message_is_under_way_does_not_hold_a_drain_up() -> None:
    async with running_server(drain_grace_seconds=3600) as server, connected(server) as calls:
        streams = [reflect(calls.channel) for _ in range(90)]
        asking = [asyncio.create_task(stream.write(LIST_SERVICES)) for stream in streams]
        await streams[0].read()

        async with asyncio.timeout(60):
            await server.drain()
        await asyncio.gather(*asking, return_exceptions=True)


async def test_a_move_under_way_is_stored_and_answered_after_the_streams_have_ended(
    tmp_path: Path,
) -> None:
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
        connected(server) as others,
    ):
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        views = [await player.view(match_id) for player in players]
        mover, view = next((p, v) for p, v in zip(players, views, strict=True) if v.legal_moves)
        stream = (await others.guest()).follow(match_id)
        await anext(stream)

        with sqlite3.connect(tmp_path / "durak.sqlite") as other:
            other.execute("BEGIN IMMEDIATE")  # until its end the store cannot write
            moving = asyncio.ensure_future(mover.move(match_id, first_move(view)))
            await until(lambda: metric(server, STARTED, **A_MOVE) == 1, players[0])
            drain = asyncio.create_task(server.drain())
            assert (await failure_of(anext(stream))).reason == "SHUTTING_DOWN"
            assert not moving.done()
        assert (await moving).events[0].HasField("led")
        await drain


async def test_after_a_restart_everybody_goes_on_where_he_was(tmp_path: Path) -> None:
    kept = {"store": "sqlite", "data": tmp_path}
    async with running_server(**kept) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        before = [await player.look(match_id) for player in players]
        events = (await anext(players[0].follow(match_id))).events

    async with running_server(**kept) as server, connected(server) as calls:
        again = [Guest(calls, guest.name, guest.player_id, guest.token) for guest in players]

        assert [await player.look(match_id) for player in again] == before
        assert (await anext(again[0].follow(match_id))).events == events
        assert [info.match_id for info in (await again[1].my_matches()).matches] == [match_id]


async def test_house_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    kept = {"store": "sqlite", "data": tmp_path}
    slow = {"bot_delay_min_seconds": 60, "bot_delay_max_seconds": 60}
    async with running_server(**kept, **slow) as server, connected(server) as calls:
        guest = await calls.guest()
        match_id = await started_match(2, [guest])
        if (view := await guest.view(match_id)).legal_moves:
            await guest.move(match_id, first_move(view))
        waiting = await guest.view(match_id)
        assert waiting.deal.seats[1].may_act

    async with running_server(**kept) as server, connected(server) as calls:
        again = Guest(calls, guest.name, guest.player_id, guest.token)

        async for update in again.follow(match_id, waiting.sequence):
            if update.events:
                break
        assert update.sequence > waiting.sequence


async def test_a_token_of_a_server_that_kept_nothing_is_invalid_at_the_next() -> None:
    async with running_server() as server, connected(server) as calls:
        guest = await calls.guest()
    async with running_server() as server, connected(server) as calls:
        stranger = Guest(calls, guest.name, guest.player_id, guest.token)

        assert (await failure_of(stranger.my_matches())).reason == "TOKEN_INVALID"


async def test_a_drained_server_takes_no_call() -> None:
    async with running_server() as server, connected(server) as calls:
        guest = await calls.guest()
        await server.drain()

        with pytest.raises(aio.AioRpcError) as error:
            await guest.my_matches()
        assert error.value.code() is StatusCode.UNAVAILABLE
