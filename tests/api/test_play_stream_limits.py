"""How much one stream may ask for, and how it ends."""

import asyncio
from typing import TypeAlias

import pytest
from grpc import StatusCode, aio

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import LiveMatch
from tests.api.one_stream import by_turn, follow, move, one_stream, unfollow
from tests.api.test_streams import census, grown
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    running_server,
    started_match,
    until,
)

Call: TypeAlias = "aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"


async def test_a_stream_follows_so_many_matches() -> None:
    async with running_server(matches_per_stream=1) as server, connected(server) as calls:
        guest = await calls.guest()
        await guest.create(match_id="m")
        await guest.create(match_id="n")

        async with one_stream(guest) as stream:
            _, refused, again = await stream.ask(follow("m"), follow("n"), follow("m"))
            _, freed = [await stream.ask(command) for command in (unfollow("m"), follow("n"))]

        assert refused.refusal.code == StatusCode.RESOURCE_EXHAUSTED.value[0]
        assert refused.refusal.reason == "TOO_MANY_STREAMS"
        assert refused.refusal.retry_delay.ToSeconds() == 10
        assert again.HasField("followed")
        assert freed[0].HasField("followed")
        assert metric(server, "durak_limited_total", reason="TOO_MANY_STREAMS") == 1


async def test_a_player_follows_so_many_matches_on_all_his_streams() -> None:
    async with running_server(follows_per_player=2) as server, connected(server) as calls:
        guest, other = await calls.guests(2)
        await guest.create(match_id="m")
        await guest.create(match_id="n")

        async with one_stream(guest) as a, one_stream(guest) as b, one_stream(other) as c:
            taken = await a.ask(follow("m"), follow("m"))
            taken += await b.ask(follow("m"))
            [refused] = await a.ask(follow("n"))
            taken += await c.ask(follow("n"))
            taken += await b.ask(follow("m"), unfollow("m"))
            taken += await a.ask(follow("n"))

        async with one_stream(guest) as d:
            await until(lambda: metric(server, "durak_streams") == 1, other)
            taken += await d.ask(follow("m"), follow("n"))

    assert all(answer.WhichOneof("kind") != "refusal" for answer in taken)
    assert refused.refusal.reason == "TOO_MANY_STREAMS"
    assert refused.refusal.metadata == {"limit": "follows_per_player"}


async def test_a_followed_match_counts_among_the_streams_of_the_match() -> None:
    async with running_server(streams_per_match=1) as server, connected(server) as calls:
        owner, watching, stranger = await calls.guests(3)
        await owner.create(match_id="m")

        async with one_stream(watching) as stream:
            await stream.ask(follow("m"))
            assert (await failure_of(stranger.followed("m"))).reason == "TOO_MANY_STREAMS"


async def test_one_stream_is_one_of_the_streams_of_its_player() -> None:
    async with running_server(streams_per_player=1) as server, connected(server) as calls:
        guest = await calls.guest()
        await guest.create(match_id="m")

        async with one_stream(guest):
            assert (await failure_of(guest.followed("m"))).reason == "TOO_MANY_STREAMS"
            other = guest.calls.play.Play(metadata=guest.metadata)
            assert (await failure_of(_end_of(other))).reason == "TOO_MANY_STREAMS"


async def test_commands_count_as_calls_and_one_too_many_is_an_answer() -> None:
    async with running_server(calls_per_second=0.01) as server, connected(server) as calls:
        guest = await calls.guest()
        call = guest.calls.play.Play(metadata=guest.metadata)
        await call.read()

        await call.write(pb.PlayRequest(commands=[unfollow("m")]))
        [answer] = (await _message(call)).answers

        assert answer.refusal.reason == "RATE_LIMITED"
        assert answer.refusal.retry_delay.ToMilliseconds() == pytest.approx(100_000, abs=5_000)
        call.cancel()


async def test_a_message_has_so_many_commands(calls: Calls) -> None:
    guest = await calls.guest()
    async with one_stream(guest) as stream:
        assert len(await stream.ask(*(unfollow("m") for _ in range(256)))) == 256
        await stream.send(*(unfollow("m") for _ in range(257)))

        failure = await failure_of(stream.rest())
    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("commands",))


async def test_what_can_be_no_match_is_not_unfollowed(calls: Calls) -> None:
    async with one_stream(await calls.guest()) as stream:
        [answer] = await stream.ask(unfollow("m" * 65))

    assert answer.refusal.reason == "INVALID_FIELD"
    assert [problem.path for problem in answer.refusal.problems] == ["match_id"]


async def test_a_message_has_so_many_bytes() -> None:
    async with running_server(message_max_bytes=1024) as server, connected(server) as calls:
        async with one_stream(await calls.guest()) as stream:
            await stream.send(follow("m" * 2_000))

            failure = await failure_of(stream.rest())
        assert failure.reason == "MESSAGE_TOO_LARGE"


async def test_a_stream_needs_a_token(calls: Calls) -> None:
    call = calls.play.Play()

    assert (await failure_of(_end_of(call))).reason == "TOKEN_MISSING"


async def test_a_drain_ends_streams_that_follow_and_those_that_do_not() -> None:
    async with running_server() as server, connected(server) as calls:
        guests = await calls.guests(2)
        await guests[0].create(match_id="m")
        async with one_stream(guests[0]) as busy, one_stream(guests[1]) as idle:
            await busy.ask(follow("m"))

            await server.drain()

            for stream in (busy, idle):
                failure = await failure_of(stream.rest())
                assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
                assert failure.pushback_ms == "500"


async def test_a_match_that_leaves_memory_is_told_and_followed_again(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")
    async with one_stream(guest) as stream:
        await stream.ask(follow("m"))
        live: LiveMatch = await server.live.find("m")
        live.leave_memory()
        while not (message := await stream.read()).ended:
            pass
        await stream.send(follow("m", 2))
        update = (await stream.news_of("m"))["m"]

    assert message.ended[0].refusal.code == StatusCode.UNAVAILABLE.value[0]
    assert message.ended[0].refusal.reason == "STORE_UNAVAILABLE"
    assert [event.sequence for event in update.events] == [3]


async def test_a_stream_whose_reader_takes_nothing_is_ended() -> None:
    settings = {"watcher_stall_seconds": 0.5, "heartbeat_seconds": 0.001}
    async with running_server(**settings) as server, connected(server) as calls:
        guest = await calls.guest()
        await guest.create(match_id="m")
        # A connection that buffers next to nothing: a reader's pause is felt at once.
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            stalled = narrow.play.Play(metadata=guest.metadata)
            await stalled.read()

            async for _ in guest.follow("m"):  # it beats, and never notices
                if metric(server, "durak_watchers_dropped_total"):
                    break

            failure = await failure_of(_end_of(stalled))
        assert (failure.code, failure.reason) == (
            StatusCode.RESOURCE_EXHAUSTED,
            "WATCHER_TOO_SLOW",
        )
        assert failure.metadata == {}


async def test_a_stream_takes_its_place_until_its_reader_has_taken_the_end() -> None:
    settings = {"watcher_stall_seconds": 0.5, "heartbeat_seconds": 0.001, "streams_per_player": 1}
    async with running_server(**settings) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        await a.create(match_id="m")
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            stalled = narrow.play.Play(metadata=a.metadata)
            await stalled.read()
            async for _ in b.follow("m"):  # it beats, and never notices
                if metric(server, "durak_watchers_dropped_total"):
                    break

            assert (await failure_of(a.followed("m"))).reason == "TOO_MANY_STREAMS"
            await until(lambda: metric(server, "durak_streams") == 1, b)
            stalled.cancel()
            await until(lambda: not metric(server, "durak_streams"), b)
            stream = a.follow("m")
            assert (await anext(stream)).sequence == 3
            await stream.aclose()


async def test_a_match_that_outruns_the_reader_is_no_longer_followed() -> None:
    settings = {"watcher_lag_events": 4, "heartbeat_seconds": 0.001}
    async with running_server(**settings) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        await a.create(match_id="m", rules={"seats": 3})
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            reader = Guest(narrow, a.name, a.player_id, a.token)
            async with one_stream(reader) as stream:
                await stream.send(follow("m"))
                await stream.news_of("m")
                await once_steady(server, "grpc_server_msg_sent_total", b)

                for _ in range(3):  # five events are more than four
                    await b.join("m")
                    await b.leave("m")

                while not (message := await stream.read()).ended:
                    pass
                [refused] = await stream.ask(follow("nowhere"))
        assert refused.refusal.reason == "MATCH_NOT_FOUND"
        assert message.ended[0].refusal.reason == "WATCHER_TOO_SLOW"
        assert message.ended[0].refusal.metadata["sequence"] == "3"
        assert metric(server, "durak_watchers_dropped_total") == 1


async def test_who_sends_and_never_reads_is_not_read_either() -> None:
    async with running_server() as server, connected(server) as calls:
        guest = await calls.guest()
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            call = narrow.play.Play(metadata=guest.metadata)
            sending = asyncio.create_task(_send_for_ever(call, follow("nowhere")))

            received = await once_steady(server, "grpc_server_msg_received_total", guest)

            assert not sending.done()
            assert received < 2_000
            sending.cancel()
            call.cancel()


async def once_steady(server: DurakServer, counter: str, guest: Guest) -> float:
    """Return the value of a counter of Play once it has not grown for 200 calls."""
    labels = {"grpc_type": "bidi_stream", "grpc_service": "durak.v1.PlayService"}
    seen = [0.0]
    while not seen[-1] or seen.count(seen[-1]) < 200:
        await guest.my_matches()
        seen.append(metric(server, counter, grpc_method="Play", **labels))
    return seen[-1]


async def _send_for_ever(call: Call, command: pb.PlayCommand) -> None:
    while True:
        await call.write(pb.PlayRequest(commands=[command]))


async def test_a_move_whose_stream_is_cancelled_is_made_whole_or_not(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    mover, _ = await by_turn(match_id, players)
    chosen = first_move(await mover.view(match_id))
    async with one_stream(mover) as stream:
        await stream.send(move(match_id, chosen, request_id="r"))

    answer = await mover.move(match_id, chosen, request_id="r")

    update = await anext(mover.follow(match_id, answer.events[0].sequence - 1))
    assert list(update.events) == list(answer.events)


async def test_streams_opened_and_cancelled_leave_nothing_behind(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    for match_id in ("m", "n"):
        await guest.create(match_id=match_id)

    async def open_and_cancel(number: int) -> None:
        for _ in range(number):
            async with one_stream(guest) as stream:
                await stream.ask(follow("m"), follow("n"))

    await open_and_cancel(20)
    await until(lambda: not metric(server, "durak_streams"), guest)
    before = census()
    await open_and_cancel(300)
    await until(lambda: not metric(server, "durak_streams"), guest)

    for _ in range(100):
        if not grown(before, census()):
            break
        await guest.my_matches()
    assert grown(before, census()) == {}
    assert [live.watchers for live in server.live] == [0, 0]


async def _message(
    call: "aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]",
) -> pb.PlayResponse:
    message = await call.read()
    assert isinstance(message, pb.PlayResponse)
    return message


async def _end_of(call: Call) -> None:
    while (await call.read()) is not aio.EOF:
        pass
