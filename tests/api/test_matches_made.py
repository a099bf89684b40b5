"""Nobody fills the disk by making matches, however many guests he is."""

import asyncio

from grpc import StatusCode, aio

from tests.api.test_rematch import finished_match
from tests.live_server import (
    Calls,
    Failure,
    connected,
    failure_of,
    metric,
    read_failure,
    running_server,
)

FEW = {"matches_made_per_second": 0.04}
"""Two at once, and one more in 25 seconds."""


def has_to_wait(failure: Failure) -> bool:
    return (
        (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        and failure.metadata == {"limit": "matches_made_per_second"}
        and failure.text == "This comes faster than matches_made_per_second allows."
        and failure.retry_seconds is not None
        and 15 < failure.retry_seconds <= 25
    )


async def number_made(calls: Calls) -> int:
    return len((await (await calls.guest()).matches(page_size=100)).matches)


async def test_all_guests_of_an_address_make_so_many_matches_together() -> None:
    async with running_server(**FEW) as server, connected(server) as calls:
        guests = await calls.guests(20)
        answers = await asyncio.gather(
            *(guest.create() for guest in guests), return_exceptions=True
        )

        refused = [read_failure(error) for error in answers if isinstance(error, aio.AioRpcError)]
        assert len(refused) == 18
        assert all(map(has_to_wait, refused))
        assert await number_made(calls) == 2
        limit = "matches_made_per_second"
        assert metric(server, "durak_rate_limited_total", limit=limit) == 18


async def test_a_quick_match_counts_only_if_it_is_new() -> None:
    async with running_server(**FEW) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        assert (await a.quick()).is_new
        assert not (await b.quick()).is_new
        assert (await a.quick()).is_new

        assert has_to_wait(await failure_of(a.quick()))
        assert not (await b.quick()).is_new


async def test_what_makes_no_match_does_not_count() -> None:
    async with running_server(**FEW) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        made = await a.create(match_id="m", request_id="1")
        for _ in range(3):
            assert (await failure_of(b.create(match_id="m"))).reason == "MATCH_EXISTS"
            assert (await failure_of(b.create(rules={"seats": 99}))).reason == "INVALID_FIELD"
        await b.create(match_id="n")

        assert has_to_wait(await failure_of(b.create(match_id="m")))
        assert await a.create(match_id="m", request_id="1") == made


async def test_a_rematch_counts_once_it_is_made() -> None:
    async with running_server(**FEW) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await finished_match(players)
        assert not await players[0].rematch(match_id)
        await players[0].create()

        assert has_to_wait(await failure_of(players[1].rematch(match_id)))
        assert not await players[0].rematch(match_id)


async def test_the_rematch_that_is_made_was_one_of_so_many() -> None:
    async with running_server(**FEW) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await finished_match(players)
        await players[0].rematch(match_id)
        next_id = await players[1].rematch(match_id)

        assert next_id
        assert await players[1].rematch(match_id) == next_id
        assert has_to_wait(await failure_of(players[0].create()))
