"""Time in which no server took moves is given back, exactly and once (rules.md, 15.5)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from durak_server.matches import ClockCredited, CreditReason, Match
from durak_server.runtime import Limits, LiveMatch, LiveMatches, LogLost
from durak_server.store import EventStore, MemoryStore, StoreError
from tests.fake_time import FakeTime
from tests.runtime.faulty_stores import FullStore, TornStore
from tests.runtime.tables import create, done, join, live_matches, next_move

ALLOWANCE = 5
LIMITS = Limits(lag_allowance=timedelta(0), return_allowance=timedelta(seconds=ALLOWANCE))


@asynccontextmanager
async def server(store: EventStore, time: FakeTime) -> AsyncIterator[LiveMatches]:
    """A server that goes on with the matches in the store."""
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        await live.wake(await store.playing_with_clocks())
        yield live


async def begin(live: LiveMatches) -> LiveMatch:
    """Deal for "a" and "b", who have 30 s for a turn."""
    await live.submit("m", create(turn_seconds=30))
    await live.submit("m", join("b"))
    return await live.find("m")


async def lose(live: LiveMatches, store: TornStore) -> None:
    """Have the match forgotten over a move of which nobody knows whether it was stored."""
    store.is_torn, store.stores, store.can_read = True, False, False
    with pytest.raises(LogLost):
        await live.submit("m", next_move((await live.find("m")).match))


def left(match: Match, time: FakeTime) -> list[float]:
    """Return how many seconds each who is on the clock has left."""
    return [(clock.deadline - time.now).total_seconds() for clock in match.clocks]


def credits(live: LiveMatch) -> list[float]:
    """Return the seconds of every credit in the log."""
    events = (record.event for record in live.history.records(0))
    given = [event for event in events if isinstance(event, ClockCredited)]
    assert all(event.reason is CreditReason.RESTART for event in given)
    return [event.credit.total_seconds() for event in given]


async def test_what_was_thought_before_the_match_was_forgotten_is_not_given_back() -> None:
    time, store = FakeTime(), TornStore()
    async with server(store, time) as live:
        await begin(live)
        time.advance(10)
        await lose(live, store)
        time.advance(100)
        store.is_torn, store.can_read = False, True
        await live.bring_back()
        match = await live.find("m")
        assert credits(match) == [100 + ALLOWANCE]
        assert left(match.match, time) == [20 + ALLOWANCE]


async def test_the_time_counts_from_when_the_match_was_lost_however_often_it_cannot_be_read() -> (
    None
):
    time, store = FakeTime(), TornStore()
    async with server(store, time) as live:
        await begin(live)
        time.advance(10)
        await lose(live, store)
        for _ in range(3):
            time.advance(40)
            await live.bring_back()
        store.is_torn, store.can_read = False, True
        await live.bring_back()
        match = await live.find("m")
        assert (credits(match), left(match.match, time)) == ([120 + ALLOWANCE], [20 + ALLOWANCE])


async def test_two_restarts_in_a_row_leave_as_much_time_as_one() -> None:
    time, store = FakeTime(), MemoryStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(60)
    async with server(store, time) as live:
        assert left((await live.find("m")).match, time) == [30 + ALLOWANCE]
        time.advance(1)
    time.advance(2)
    async with server(store, time) as live:
        match = await live.find("m")
        assert (credits(match), left(match.match, time)) == ([60 + ALLOWANCE, 3], [30 + ALLOWANCE])
    async with server(store, time) as live:
        assert credits(await live.find("m")) == [60 + ALLOWANCE, 3]


async def test_a_turn_that_began_after_a_restart_loses_nothing_by_the_next() -> None:
    time, store = FakeTime(), MemoryStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(60)
    async with server(store, time) as live:
        match = await live.find("m")
        time.advance(2)
        done(await match.submit(next_move(match.match)))
    time.advance(1)
    async with server(store, time) as live:
        assert left((await live.find("m")).match, time) == [30 + ALLOWANCE]


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_credit_that_was_stored_but_not_confirmed_is_not_given_again(
    restarts: bool,
) -> None:
    time, store = FakeTime(), TornStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(60)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        store.is_torn, store.reads_left = True, 1
        with pytest.raises(LogLost):
            await live.find("m")
        store.is_torn, store.reads_left = False, None
        if not restarts:
            match = await live.find("m")
            assert (credits(match), left(match.match, time)) == ([60 + ALLOWANCE], [30 + ALLOWANCE])
    async with server(store, time) as live:
        assert credits(await live.find("m")) == [60 + ALLOWANCE]


async def test_a_credit_that_was_not_stored_is_given_whole_the_next_time() -> None:
    time, store = FakeTime(), FullStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(60)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        store.is_full = True
        with pytest.raises(StoreError):
            await live.find("m")
        time.advance(60)
        store.is_full = False
        assert credits(await live.find("m")) == [120 + ALLOWANCE]


async def test_a_match_without_a_running_clock_is_let_go_and_comes_back_as_it_was() -> None:
    time, store = FakeTime(), MemoryStore()
    async with server(store, time) as live:
        await live.submit("m", create(turn_seconds=30))
        before = (await live.find("m")).match
        time.advance(3_600)
        assert live.let_idle_go() == 1
        assert (await live.find("m")).match == before
