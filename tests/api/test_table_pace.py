"""What a player can do and undo at a table before the start makes no log that grows without end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode, aio

from durak_server.app import DurakServer
from tests.live_server import (
    Calls,
    Failure,
    Guest,
    connected,
    failure_of,
    metric,
    read_failure,
    running_server,
)

Deed = Callable[[Guest, int], Awaitable[object]]
"""Something that a player does at the match "m" for the n-th time."""
BURST = 20


async def sit_and_stand_up(guest: Guest, _: int) -> None:
    await guest.join("m")
    await guest.leave("m")


async def seat_a_bot_and_remove_it(guest: Guest, _: int) -> None:
    seat = (await guest.add_bot("m")).info.seats[1]
    await guest.remove("m", seat.player_id)


OF_OWNER: dict[str, Deed] = {
    "ready or not": lambda guest, n: guest.set_ready("m", is_ready=not n % 2),
    "another invite": lambda guest, _: guest.renew_invite("m"),
    "bots": seat_a_bot_and_remove_it,
}


@pytest.fixture
async def server() -> AsyncIterator[DurakServer]:
    """A server at which nobody gets another try while a test lasts."""
    async with running_server(table_pause_seconds=1_000) as server:
        yield server


@pytest.fixture
async def calls(server: DurakServer) -> AsyncIterator[Calls]:
    """A connection to the server."""
    async with connected(server) as calls:
        yield calls


def has_to_wait(failure: Failure) -> bool:
    return (
        (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        and failure.metadata == {"limit": "table_pause_seconds"}
        and failure.retry_seconds == pytest.approx(1_000, abs=60)
    )


@pytest.mark.parametrize("deed", OF_OWNER.values(), ids=OF_OWNER)
async def test_so_much_the_owner_does_at_once_then_he_has_to_wait(
    server: DurakServer, calls: Calls, deed: Deed
) -> None:
    owner, other = await calls.guests(2)
    await owner.create(match_id="m", rules={"seats": 3})
    for number in range(BURST):
        await deed(owner, number)
    length = (await owner.view("m")).sequence

    assert has_to_wait(await failure_of(deed(owner, BURST)))

    assert (await owner.view("m")).sequence == length
    assert metric(server, "durak_rate_limited_total", limit="table_pause_seconds") == 1
    await other.join("m")
    await other.set_ready("m", is_ready=True)
    await owner.create(match_id="n")
    await owner.set_ready("n", is_ready=True)
    await owner.leave("m")


async def test_so_often_one_comes_and_goes_and_then_has_to_wait(calls: Calls) -> None:
    owner, guest = await calls.guests(2)
    await owner.create(match_id="m")
    for number in range(BURST):
        await sit_and_stand_up(guest, number)

    assert has_to_wait(await failure_of(guest.join("m")))


async def test_who_has_to_wait_may_say_again_what_changes_nothing(calls: Calls) -> None:
    owner, guest = await calls.guests(2)
    await owner.create(match_id="m", rules={"seats": 3})
    await guest.join("m")
    said = [
        await guest.set_ready("m", is_ready=not number % 2, request_id=f"r{number}")
        for number in range(BURST - 1)
    ]

    assert await guest.set_ready("m", is_ready=True, request_id=f"r{BURST - 2}") == said[-1]
    assert (await guest.join("m")).seat == 1
    assert has_to_wait(await failure_of(guest.set_ready("m", is_ready=False)))


async def test_what_is_refused_is_not_counted(calls: Calls) -> None:
    owner, guest = await calls.guests(2)
    await owner.create(match_id="m", rules={"seats": 3})
    for _ in range(BURST + 1):
        assert (await failure_of(guest.set_ready("m", is_ready=True))).reason == "NOT_SEATED"
        assert (await failure_of(guest.join("m", seat=0))).reason == "SEAT_TAKEN"
        assert (await failure_of(owner.add_bot("m", seat=0))).reason == "SEAT_TAKEN"

    await guest.join("m")
    await owner.set_ready("m", is_ready=True)


async def test_nobody_changes_more_by_asking_for_all_of_it_at_once(tmp_path: Path) -> None:
    slow: dict[str, Any] = {"store": "sqlite", "data": tmp_path}  # Any: as in `running_server`
    async with (
        running_server(**slow, table_pause_seconds=1_000) as server,
        connected(server) as calls,
    ):
        owner = await calls.guest()
        await owner.create(match_id="m")
        length = (await owner.view("m")).sequence

        answers = await asyncio.gather(
            *(owner.renew_invite("m") for _ in range(60)), return_exceptions=True
        )

        refused = [read_failure(error) for error in answers if isinstance(error, aio.AioRpcError)]
        assert len(refused) == 60 - BURST
        assert all(map(has_to_wait, refused))
        assert (await owner.view("m")).sequence == length + BURST


async def test_asking_for_much_at_once_tells_no_stranger_of_a_match(calls: Calls) -> None:
    owner, stranger = await calls.guests(2)
    await owner.create(match_id="m", visibility="VISIBILITY_UNLISTED")

    answers = await asyncio.gather(*(stranger.join("m") for _ in range(60)), return_exceptions=True)

    failures = [read_failure(error) for error in answers if isinstance(error, aio.AioRpcError)]
    assert [failure.reason for failure in failures] == ["MATCH_NOT_FOUND"] * 60
