"""Who calls too fast waits for the refusal, by a time that only the test moves."""

import asyncio
from datetime import timedelta

import pytest

from durak_server.api.failures import CallFailed, match_not_found
from durak_server.api.held_refusals import HeldRefusals
from durak_server.api.rate_limit import RateLimited
from durak_server.app import DurakServer
from tests.api.one_stream import OneStream, one_stream, unfollow
from tests.api.tokenless import check_health
from tests.fake_time import FakeTime
from tests.live_server import Calls, connected, failure_of, metric, server_at

ONE_CALL = {"calls_per_second": 0.001, "refusal_hold_seconds": 1}


async def once_refused(server: DurakServer, calls: Calls, limit: str = "calls_per_second") -> None:
    """Return when a refusal is being held; other calls give it time."""
    while not metric(server, "durak_rate_limited_total", limit=limit):
        await check_health(calls.channel)


async def test_a_refusal_is_held_and_other_players_are_answered_meanwhile() -> None:
    time = FakeTime()
    async with server_at(time.keeper, **ONE_CALL) as server, connected(server) as calls:
        fast, calm = await calls.guests(2)
        await fast.my_matches()
        refused = asyncio.create_task(failure_of(fast.my_matches()))
        await once_refused(server, calls)

        time.advance(0.999)
        await calm.my_matches()
        assert not refused.done()
        time.advance(0.001)
        assert (await refused).reason == "RATE_LIMITED"


async def test_a_refused_command_is_held_as_a_call_is() -> None:
    time = FakeTime()
    async with server_at(time.keeper, **ONE_CALL) as server, connected(server) as calls:
        fast = await calls.guest()
        async with one_stream(fast) as stream:
            await stream.send(unfollow("m"))
            reading = asyncio.create_task(stream.read())
            await once_refused(server, calls)
            for _ in range(3):
                await calls.guest()
            assert not reading.done()
            time.advance(1)
            [answer] = (await reading).answers
            assert answer.refusal.reason == "RATE_LIMITED"


async def test_a_refused_command_of_a_crowded_address_is_held_too() -> None:
    time = FakeTime()
    one_each = {"address_calls_per_second": 1, "refusal_hold_seconds": 1}
    async with server_at(time.keeper, **one_each) as server, connected(server) as calls:
        guest = await calls.guest()
        async with one_stream(guest) as stream:
            await stream.send(*[unfollow("m") for _ in range(8)])
            reading = asyncio.create_task(refusal_on(stream))
            await once_refused(server, calls, "address_calls_per_second")
            for _ in range(3):
                await check_health(calls.channel)
            assert not reading.done()
            time.advance(1)
            assert await reading == "RATE_LIMITED"


async def refusal_on(stream: OneStream) -> str:
    """Read until a command is refused; return why."""
    while True:
        for answer in (await stream.read()).answers:
            if answer.HasField("refusal"):
                return answer.refusal.reason


def held(seconds: float, key: str = "a") -> CallFailed:
    return RateLimited("calls_per_second", key, seconds)


async def test_the_refusals_of_one_caller_stand_in_line() -> None:
    time = FakeTime()
    refusals = HeldRefusals(timedelta(seconds=1), time.keeper)
    tasks = [
        asyncio.create_task(refusals.hold(failure))
        for failure in (held(0.25), held(0.25), held(0.25, "b"), held(0.5), held(9))
    ]
    await asyncio.sleep(0)
    for seconds, done in (
        (0, [False] * 5),
        (0.25, [True, False, True, False, False]),
        (0.25, [True, True, True, False, False]),
        (0.5, [True] * 5),
    ):
        time.advance(seconds)
        for _ in range(3):
            await asyncio.sleep(0)
        assert [task.done() for task in tasks] == done


@pytest.mark.parametrize("failure", [match_not_found(), held(5)])
async def test_nothing_else_is_held_and_nothing_at_all_without_a_hold(failure: CallFailed) -> None:
    time = FakeTime()
    longest = 0 if isinstance(failure, RateLimited) else 1
    await HeldRefusals(timedelta(seconds=longest), time.keeper).hold(failure)
