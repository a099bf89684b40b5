"""What one address may do, also without a token, and which address a call counts for."""

from collections.abc import Awaitable, Callable
from ipaddress import ip_network
from pathlib import Path

import pytest
from grpc import StatusCode
from grpc_health.v1.health_pb2 import HealthCheckResponse

from durak_server.api.addresses import Addresses
from durak_server.api.token_bucket import TokenBuckets
from tests.api.buckets import take
from tests.api.one_stream import one_stream, unfollow
from tests.api.operators import OPERATED, kept_in, operating
from tests.api.tokenless import (
    LIST_SERVICES,
    call_made_up,
    check_health,
    reflect,
    watch_health,
)
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    metric,
    running_server,
)

ONE_CALL = {"address_calls_per_second": 0.001}


async def ask_by_reflection(calls: Calls) -> object:
    call = reflect(calls.channel)
    await call.write(LIST_SERVICES)
    return await call.read()


async def begin_reflection(calls: Calls) -> object:
    """Begin to ask: what is written to a stream that is being refused can hide why it is."""
    return await reflect(calls.channel).read()


EVERY_KIND: dict[str, Callable[[Calls], Awaitable[object]]] = {
    "a bad token": lambda calls: Guest(calls, "", "", "bad").my_matches(),
    "a stream with a bad token": lambda calls: Guest(calls, "", "", "bad").followed("m"),
    "a guest": lambda calls: calls.guest(),
    "reflection": begin_reflection,
    "no method": lambda calls: call_made_up(calls.channel),
}


@pytest.mark.parametrize("kind", EVERY_KIND)
async def test_every_call_counts_for_its_address_before_anything_is_looked_at(kind: str) -> None:
    async with running_server(**ONE_CALL) as server, connected(server) as calls:
        await calls.guest()

        failure = await failure_of(EVERY_KIND[kind](calls))

        assert (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert failure.metadata == {"limit": "address_calls_per_second"}
        assert failure.retry_seconds
        assert failure.retry_seconds == pytest.approx(1000, abs=50)
        assert failure.pushback_ms == str(round(failure.retry_seconds * 1000))
        refused = metric(server, "durak_rate_limited_total", limit="address_calls_per_second")
        assert refused == 1


async def test_a_crowd_does_not_make_the_health_of_its_address_look_bad() -> None:
    async with running_server(**ONE_CALL) as server, connected(server) as calls:
        await calls.guest()
        assert (await failure_of(calls.guest())).reason == "RATE_LIMITED"

        for _ in range(3):
            assert (await check_health(calls.channel)).status == 1
        watched = await watch_health(calls.channel).read()
        assert isinstance(watched, HealthCheckResponse)
        assert watched.status == 1


async def test_an_operator_is_let_in_whatever_comes_from_his_address() -> None:
    async with (
        running_server(**ONE_CALL, **OPERATED, calls_per_second=0.001) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        await calls.guest()
        assert (await failure_of(calls.guest())).reason == "RATE_LIMITED"

        for _ in range(3):
            assert (await operator.limits())["address_calls_per_second"].per_second == 0.001


async def test_each_command_of_a_message_counts_for_its_address() -> None:
    async with running_server(address_calls_per_second=10) as server, connected(server) as calls:
        guest = await calls.guest()
        async with one_stream(guest) as stream:
            # Guest and stream were two calls of the twenty at once.
            answers = await stream.ask(*[unfollow("m") for _ in range(256)])

    assert all(answer.HasField("unfollowed") for answer in answers[:18])
    assert answers[-1].refusal.metadata == {"limit": "address_calls_per_second"}


async def test_a_crowd_at_his_address_does_not_end_a_players_stream(tmp_path: Path) -> None:
    async with (
        running_server(**kept_in(tmp_path)) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        crowd, innocent = await calls.guests(2)
        async with one_stream(innocent) as stream:
            await operator.set_limits(address_calls_per_second=0.001)
            await crowd.my_matches()

            await stream.send()
            refused = await stream.ask(unfollow("m"), unfollow("n"))
            await operator.set_limits(address_calls_per_second=1_000)
            [answer] = await stream.ask(unfollow("m"))

        for one in refused:
            assert one.refusal.reason == "RATE_LIMITED"
            assert one.refusal.metadata == {"limit": "address_calls_per_second"}
            assert one.refusal.retry_delay.ToMilliseconds() == pytest.approx(1_000_000, abs=50_000)
        assert answer.HasField("unfollowed")
        assert metric(server, "durak_limited_total", reason="RATE_LIMITED") == 2
        counted = metric(server, "durak_rate_limited_total", limit="address_calls_per_second")
        assert counted == 3, "the message without commands, too"


async def test_each_message_of_a_stream_of_requests_counts_too() -> None:
    async with running_server(**ONE_CALL) as server, connected(server) as calls:
        failure = await failure_of(ask_by_reflection(calls))

        assert failure.metadata == {"limit": "address_calls_per_second"}


async def test_an_address_has_so_many_streams_without_a_token() -> None:
    async with (
        running_server(tokenless_streams_per_address=2) as server,
        connected(server) as calls,
    ):
        watch, asked = watch_health(calls.channel), reflect(calls.channel)
        await watch.read()
        await asked.write(LIST_SERVICES)
        await asked.read()

        for attempt in (watch_health(calls.channel).read(), begin_reflection(calls)):
            assert (await failure_of(attempt)).reason == "TOO_MANY_STREAMS"
        assert (await check_health(calls.channel)).status == 1
        guest = await calls.guest()
        await guest.create(match_id="m")
        assert (await anext(guest.follow("m"))).sequence > 0


async def test_behind_a_trusted_proxy_each_caller_counts_for_himself() -> None:
    async with (
        running_server(**ONE_CALL, trusted_proxies="10.0.0.0/8, 127.0.0.0/8") as server,
        connected(server) as calls,
    ):
        first, second = (("x-forwarded-for", "203.0.113.1"),), (("x-forwarded-for", "203.0.113.2"),)
        await calls.guest(metadata=first)

        assert (await failure_of(calls.guest(metadata=first))).reason == "RATE_LIMITED"
        assert (await calls.guest(metadata=second)).token


async def test_whoever_is_no_trusted_proxy_counts_whatever_he_claims() -> None:
    async with running_server(**ONE_CALL) as server, connected(server) as calls:
        await calls.guest(metadata=(("x-forwarded-for", "203.0.113.1"),))

        claimed = calls.guest(metadata=(("x-forwarded-for", "203.0.113.2"),))
        assert (await failure_of(claimed)).reason == "RATE_LIMITED"


PROXIES = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
PROXY, CALLER = "ipv4:10.0.0.1:4000", "ipv4:203.0.113.7:54321"
WHOSE = [
    # peer  x-forwarded-for  counted
    (CALLER, [], "203.0.113.7"),
    ("ipv4:203.0.113.7:1", [], "203.0.113.7"),
    ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:54321", [], "2001:db8:1:2::/64"),
    ("ipv6:[2001:db8:1:2::9]:54321", [], "2001:db8:1:2::/64"),
    ("ipv6:%5B::ffff:203.0.113.7%5D:54321", [], "203.0.113.7"),
    ("unix:", [], "unix:"),
    (CALLER, ["198.51.100.1"], "203.0.113.7"),  # not a proxy of ours
    (PROXY, [], "10.0.0.1"),
    (PROXY, ["198.51.100.1"], "198.51.100.1"),
    (PROXY, ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),  # the first is what the caller claims
    (PROXY, ["198.51.100.1, 10.9.9.9"], "198.51.100.1"),  # two proxies in a row
    (PROXY, ["6.6.6.6", "198.51.100.1,10.9.9.9"], "198.51.100.1"),  # two lines are one
    (PROXY, ["10.1.1.1, 10.9.9.9"], "10.1.1.1"),  # from the inside
    (PROXY, ["unknown"], "10.0.0.1"),
    (PROXY, ["6.6.6.6, not-an-address, 10.9.9.9"], "10.9.9.9"),
    (PROXY, ["2001:db8::5"], "2001:db8::/64"),
    ("ipv6:%5Bfd00::1%5D:4000", ["198.51.100.1"], "198.51.100.1"),
]


@pytest.mark.parametrize(("peer", "forwarded", "counted"), WHOSE)
def test_a_call_counts_for_the_last_address_that_is_not_a_proxys(
    peer: str, forwarded: list[str], counted: str
) -> None:
    assert Addresses(PROXIES).find(peer, forwarded) == counted


def test_callers_without_number_take_no_memory_without_bound() -> None:
    buckets = TokenBuckets(per_second=1, burst=1, clock=lambda: 0.0)
    take(buckets, "first")
    assert take(buckets, "first") == 1.0

    for caller in range(50_000):
        take(buckets, str(caller))

    assert take(buckets, "49999") == 1.0
    assert take(buckets, "first") == 0.0, "whoever called longest ago is forgotten first"
