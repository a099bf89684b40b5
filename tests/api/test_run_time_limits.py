"""Rates that the operator changes, and a drain that he begins."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode

from durak_server.app import DurakServer
from durak_server.pb.durak.v1.admin_service_pb2 import RateChange, RateLimit
from tests.api.operators import Operator, kept_in, operating
from tests.api.tokenless import watch_health
from tests.live_server import Calls, connected, failure_of, metric, running_server, started_match


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DurakServer]:
    async with running_server(**kept_in(tmp_path)) as server:
        yield server


@pytest.fixture
async def operator(server: DurakServer) -> AsyncIterator[Operator]:
    async with operating(server) as operator:
        yield operator


CALLS = RateLimit(
    name="calls_per_second", per_second=2_000, burst=4_000, configured_per_second=2_000
)


async def test_the_rates_are_those_of_the_settings_at_first(operator: Operator) -> None:
    limits = await operator.limits()

    assert limits["calls_per_second"] == CALLS
    assert limits.keys() > {"address_calls_per_second", "guests_per_second"}
    assert all(limit.per_second == limit.configured_per_second for limit in limits.values())


async def test_a_lower_rate_holds_at_once_for_whoever_has_called_before(
    calls: Calls, operator: Operator
) -> None:
    anna = await calls.guest()
    await anna.my_matches()

    changed = await operator.set_limits(calls_per_second=0.01)

    assert changed["calls_per_second"] == RateLimit(
        name="calls_per_second", per_second=0.01, burst=1, configured_per_second=2_000
    )
    await anna.my_matches()
    failure = await failure_of(anna.my_matches())
    assert (failure.reason, failure.metadata) == ("RATE_LIMITED", {"limit": "calls_per_second"})
    for _ in range(3):  # whom no rate keeps from taking it back
        await operator.limits()
    assert (await operator.set_limits(calls_per_second=2_000))["calls_per_second"] == CALLS
    await anna.my_matches()


async def test_a_rate_next_to_nothing_lets_nobody_wait_for_more_than_a_day(
    tmp_path: Path,
) -> None:
    held = kept_in(tmp_path) | {"refusal_hold_seconds": 0.001}
    async with (
        running_server(**held) as server,
        operating(server) as operator,
        connected(server) as calls,
    ):
        await operator.set_limits(guests_per_second=1e-300)
        await calls.guest()
        failure = await failure_of(calls.guest())

    assert (failure.reason, failure.retry_seconds) == ("RATE_LIMITED", 86_400)
    assert failure.pushback_ms == "86400000"


WRONG = [
    ({"no_such": 1.0}, "changes.name"),
    ({"streams_per_player": 1.0}, "changes.name"),
    ({"guests_per_second": 0.0}, "changes.per_second"),
    ({"guests_per_second": -1.0}, "changes.per_second"),
    ({"guests_per_second": float("nan")}, "changes.per_second"),
    ({"guests_per_second": float("inf")}, "changes.per_second"),
    ({"guests_per_second": 1e7}, "changes.per_second"),
    ({"calls_per_second": 7.0, "guests_per_second": 1e7}, "changes.per_second"),
]


@pytest.mark.parametrize(("rates", "field"), WRONG)
async def test_a_change_that_makes_no_sense_changes_nothing(
    operator: Operator, rates: dict[str, float], field: str
) -> None:
    before = await operator.limits()

    failure = await failure_of(operator.set_limits(**rates))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, (field,))
    assert await operator.limits() == before


async def test_there_may_be_twice_as_many_changes_as_rates(operator: Operator) -> None:
    before = await operator.limits()
    changes = [
        RateChange(name=limit.name, per_second=rate) for rate in (7, 8) for limit in before.values()
    ]

    failure = await failure_of(operator.change_limits([*changes, changes[0]]))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("changes",))
    assert await operator.limits() == before
    changed = await operator.change_limits(changes)
    assert {limit.per_second for limit in changed.values()} == {8}


async def test_a_restart_brings_the_settings_back(tmp_path: Path) -> None:
    async with running_server(**kept_in(tmp_path)) as server, operating(server) as operator:
        await operator.set_limits(guests_per_second=1)
    async with running_server(**kept_in(tmp_path)) as server, operating(server) as operator:
        assert (await operator.limits())["guests_per_second"].per_second == 50


async def test_a_drain_sends_clients_away_and_serves_on(
    server: DurakServer, calls: Calls, operator: Operator
) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    health = watch_health(calls.channel)
    serving = await health.read()

    await operator.drain()
    not_serving = await health.read()
    await operator.drain()

    assert [str(answer).strip() for answer in (serving, not_serving)] == [
        "status: SERVING",
        "status: NOT_SERVING",
    ]
    assert metric(server, "durak_draining") == 1
    assert (await failure_of(players[0].create())).reason == "SHUTTING_DOWN"
    assert (await players[0].view(match_id)).match_id == match_id
    assert (await operator.list()).matches[0].match_id == match_id
    async with connected(server) as later:
        assert (await later.guest("Late")).name == "Late"
    health.cancel()
