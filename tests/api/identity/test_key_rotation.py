"""The provider's keys come and go, and so does the provider."""

import asyncio

import pytest
from grpc import StatusCode

from durak_server.app import DurakServer
from tests.api.identity_provider import NEW, OLD, IdentityProvider, SigningKey
from tests.fake_time import FakeTime
from tests.live_server import Calls, Guest, connected, failure_of, metric, server_at

READS, FAILURES = (
    "durak_identity_key_reads_total",
    "durak_identity_key_read_failures_total",
)


@pytest.fixture
def holder_of_old(calls: Calls) -> Guest:
    return Guest(calls, "", "", OLD.token(sub="old"))


@pytest.fixture
def holder_of_new(calls: Calls) -> Guest:
    return Guest(calls, "", "", NEW.token(sub="new"))


async def test_a_new_key_is_good_at_once_and_an_old_one_until_the_next_reading(
    server: DurakServer,
    time: FakeTime,
    provider: IdentityProvider,
    holder_of_old: Guest,
    holder_of_new: Guest,
) -> None:
    await holder_of_old.my_matches()
    provider.show(OLD, NEW)
    await holder_of_new.my_matches()

    provider.show(NEW)
    time.advance(299)
    await holder_of_old.my_matches()
    time.advance(1)
    while metric(server, READS) < 3:
        await holder_of_new.my_matches()

    assert (await failure_of(holder_of_old.my_matches())).reason == "TOKEN_INVALID"
    await holder_of_new.my_matches()


async def test_a_flood_of_unknown_keys_asks_the_provider_once_in_ten_seconds(
    calls: Calls, time: FakeTime, provider: IdentityProvider
) -> None:
    async def refuse_strangers() -> None:
        strangers = [
            Guest(calls, "", "", SigningKey(f"stranger {number}").token()) for number in range(50)
        ]
        failures = await asyncio.gather(*(failure_of(guest.my_matches()) for guest in strangers))
        assert {failure.reason for failure in failures} == {"TOKEN_INVALID"}

    for _ in range(3):
        await refuse_strangers()
    assert provider.requests == 2
    time.advance(10)
    await refuse_strangers()
    assert provider.requests == 3


async def test_whoever_has_a_known_key_need_not_wait_for_a_search(
    calls: Calls, provider: IdentityProvider, holder_of_old: Guest
) -> None:
    with provider.held():
        stranger = asyncio.ensure_future(failure_of(Guest(calls, "", "", NEW.token()).my_matches()))
        await holder_of_old.my_matches()
        assert not stranger.done()

    assert (await stranger).reason == "TOKEN_INVALID"


async def test_the_last_keys_are_kept_while_the_provider_does_not_answer(
    server: DurakServer, time: FakeTime, provider: IdentityProvider, holder_of_old: Guest
) -> None:
    provider.fail()
    for reading in (1, 2):
        while not time.is_awaited_in(300):
            await holder_of_old.my_matches()
        time.advance(300)
        while metric(server, FAILURES) < reading:
            await holder_of_old.my_matches()

    await holder_of_old.my_matches()


async def test_a_server_without_keys_says_so_until_the_provider_answers(
    time: FakeTime, provider: IdentityProvider
) -> None:
    provider.fail()
    async with server_at(time.keeper, **provider.settings) as server, connected(server) as calls:
        guest = Guest(calls, "", "", OLD.token())
        failure = await failure_of(guest.my_matches())
        assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "KEYS_MISSING")
        assert failure.retry_seconds == 5

        provider.show(OLD)
        time.advance(10)
        assert (await guest.my_matches()).matches == []
