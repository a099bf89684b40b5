"""Clocks of matches in memory, by a time that only the test moves (rules.md, 15)."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta

import pytest

from durak_server.matches import (
    ClockCredited,
    ClocksSet,
    CreditReason,
    MatchEvent,
    MatchStatus,
    TimeRanOut,
)
from durak_server.observe.metrics import Metrics
from durak_server.rules import Led, OnTimeout
from durak_server.runtime import Limits, LiveMatch, LiveMatches
from durak_server.store import EventStore, MemoryStore, StoreError
from tests.fake_time import FakeTime
from tests.runtime.faulty_stores import FullStore, SlowStore
from tests.runtime.tables import create, done, join, live_matches, next_move

LIMITS = Limits(
    inbox=1,
    lag_allowance=timedelta(seconds=1),
    return_allowance=timedelta(seconds=5),
    return_limit=timedelta(0),
)


@asynccontextmanager
async def timed_match(
    time: FakeTime, store: EventStore | None = None, metrics: Metrics | None = None
) -> AsyncIterator[tuple[LiveMatches, LiveMatch]]:
    """A match of "a" and "b" with turns of 30 s."""
    async with live_matches(store or MemoryStore(), LIMITS, metrics, time.keeper) as live:
        await live.submit("m", create(turn_seconds=30))
        await live.submit("m", join("b"))
        yield live, await live.find("m")


@contextmanager
def growing(match: LiveMatch) -> Iterator["Growth"]:
    """Follow a match from now on."""
    with match.watch(match.history.sequence, "") as watcher:
        yield Growth(match, watcher.sequence)


class Growth:
    """What comes to a log."""

    def __init__(self, match: LiveMatch, after: int) -> None:
        self._match = match
        self._after = after

    async def events(self) -> list[MatchEvent]:
        """Return what has come, once something has."""
        with self._match.watch(self._after, "") as watcher:
            await watcher.wait(10)
        return [record.event for record in self._match.history.records(self._after)]


def next_deadline(match: LiveMatch) -> datetime:
    """When the only clock that runs is over."""
    (clock,) = match.match.clocks
    return clock.deadline


def value_of(metrics: Metrics, name: str) -> float:
    """A metric without labels, as it would be scraped now."""
    return metrics.registry.get_sample_value(name) or 0.0


async def test_a_turn_ends_when_the_allowance_for_lag_is_over_too() -> None:
    time = FakeTime()
    async with timed_match(time) as (_, match):
        (clock,) = match.match.clocks
        assert clock.deadline == time.now + timedelta(seconds=30)
        with growing(match) as growth:
            assert time.advance(30.9) == 0
            assert time.advance(0.1) == 1
            out, led, clocks = await growth.events()
        assert (out, type(led)) == (TimeRanOut(clock.seat), Led)
        assert isinstance(clocks, ClocksSet)
        assert next_deadline(match) == time.now + timedelta(seconds=30)


async def test_turn_after_turn_ends_until_the_match_does() -> None:
    time = FakeTime()
    async with timed_match(time) as (_, match):
        while match.match.status is MatchStatus.PLAYING:
            with growing(match) as growth:
                assert time.advance(31) == 1
                await growth.events()
        assert time.advance(1_000) == 0


async def test_a_move_that_is_late_but_within_the_allowance_counts() -> None:
    time = FakeTime()
    async with timed_match(time) as (_, match):
        time.advance(30.5)
        assert match.bots_to_move() == ()
        done(await match.submit(next_move(match.match)))
        assert time.advance(0.5) == 0
        assert next_deadline(match) == time.now + timedelta(seconds=29.5)


async def test_after_a_restart_who_is_on_the_clock_gets_the_lost_time_back_and_some_to_return() -> (
    None
):
    time, store = FakeTime(), MemoryStore()
    async with timed_match(time, store) as (_, match):
        (clock,) = match.match.clocks
        time.advance(10)
    time.advance(3_600)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        assert await store.playing_with_clocks() == ["m"]
        await live.wake(await store.playing_with_clocks())
        match = await live.find("m")
        lost = timedelta(seconds=3_610 + 5)
        credited = match.history.records(0)[-1].event
        assert credited == ClockCredited(clock.seat, lost, CreditReason.RESTART)
        assert next_deadline(match) == clock.deadline + lost
        assert time.advance(35) == 0
        assert time.advance(1) == 1


async def test_while_the_time_lost_cannot_be_given_back_nobodys_turn_is_ended() -> None:
    time, store = FakeTime(), FullStore()
    async with timed_match(time, store):
        pass
    before = await store.read("m")
    time.advance(3_600)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        store.is_full = True
        await live.wake(["m"])
        with pytest.raises(StoreError):
            await live.find("m")
        assert (await store.read("m"), time.advance(1_000)) == (before, 0)
        store.is_full = False
        await live.bring_back()
        (match,) = live
        assert isinstance(match.history.records(0)[-1].event, ClockCredited)


async def test_what_a_full_store_takes_of_a_turn_is_given_back_before_it_is_ended(
    lines: io.StringIO,
) -> None:
    time, store, metrics = FakeTime(), FullStore(), Metrics("test")
    async with timed_match(time, store, metrics) as (_, match):
        store.is_full = True
        for _ in range(2):
            assert time.advance(31) == 1
            await asyncio.sleep(0)
            with pytest.raises(StoreError):
                await match.submit(next_move(match.match))
        assert value_of(metrics, "durak_turn_ends_failed_total") == 2
        told = [json.loads(line) for line in lines.getvalue().splitlines()]
        assert [line["match"] for line in told if line["event"] == "a turn cannot be ended"] == [
            "m"
        ]

        store.is_full = False
        with growing(match) as growth:
            assert time.advance(0.9) == 0
            assert time.advance(0.1) == 1
            (credited,) = await growth.events()
            assert isinstance(credited, ClockCredited)
            assert credited.credit == timedelta(seconds=32 + 5)
        with growing(match) as growth:
            assert time.advance(4.9) == 0
            assert time.advance(0.1 + 1) == 1
            assert isinstance((await growth.events())[0], TimeRanOut)


async def test_the_time_in_which_a_full_store_refused_moves_is_given_back_with_the_next() -> None:
    time, store = FakeTime(), FullStore()
    async with timed_match(time, store) as (_, match):
        time.advance(6)
        store.is_full = True
        for _ in range(2):
            with pytest.raises(StoreError):
                await match.submit(next_move(match.match))
            time.advance(11)
        store.is_full = False
        done(await match.submit(next_move(match.match)))
        events = [record.event for record in match.history.records(0)]
        (credited,) = [event for event in events if isinstance(event, ClockCredited)]
        assert credited.credit == timedelta(seconds=22 + 5)
        assert not any(isinstance(event, TimeRanOut) for event in events)


async def test_a_turn_that_began_with_a_slow_append_begins_when_that_is_known() -> None:
    time, store = FakeTime(), SlowStore()
    async with timed_match(time, store) as (_, match):
        store.gate.clear()
        store.reached.clear()
        being_stored = asyncio.ensure_future(match.submit(next_move(match.match)))
        await store.reached.wait()
        time.advance(40)
        store.gate.set()
        await being_stored
        await match.settled()
        assert next_deadline(match) == time.now + timedelta(seconds=30)


async def test_it_is_measured_how_late_a_turn_is_ended() -> None:
    time, metrics = FakeTime(), Metrics("test")
    async with timed_match(time, metrics=metrics) as (_, match):
        with growing(match) as growth:
            time.advance(31 + 0.25)
            await growth.events()
        done(await match.submit(next_move(match.match)))
    assert value_of(metrics, "durak_clock_late_seconds_count") == 1
    assert value_of(metrics, "durak_clock_late_seconds_sum") == 0.25


async def test_a_turn_whose_end_finds_no_room_waits_for_what_came_before() -> None:
    time, store = FakeTime(), SlowStore()
    async with timed_match(time, store) as (_, match):
        store.gate.clear()
        store.reached.clear()
        being_stored = asyncio.ensure_future(match.submit(next_move(match.match)))
        await store.reached.wait()
        waiting = asyncio.ensure_future(match.submit(join("a")))
        await asyncio.sleep(0)
        assert time.advance(31) == 1
        store.gate.set()
        moved = done(await being_stored)
        await waiting
        assert isinstance(moved.history.records(moved.first - 1)[0].event, Led)


async def test_clocks_stand_once_the_streams_have_ended() -> None:
    time = FakeTime()
    async with timed_match(time) as (live, match):
        live.end_streams()
        assert time.advance(1_000) == 0
        done(await match.submit(next_move(match.match)))
        assert time.advance(1_000) == 0


async def test_clocks_stand_in_a_match_that_was_being_loaded_when_the_streams_ended() -> None:
    time, store = FakeTime(), SlowStore()
    async with timed_match(time, store):
        pass
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        store.gate.clear()
        store.reached.clear()
        loading = asyncio.ensure_future(live.find("m"))
        await store.reached.wait()
        live.end_streams()
        store.gate.set()
        assert (await loading).has_duties
        assert time.advance(1_000) == 0


async def test_matches_that_are_being_loaded_are_let_go_at_the_end_too() -> None:
    time, store = FakeTime(), SlowStore()
    async with timed_match(time, store):
        pass
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        store.gate.clear()
        store.reached.clear()
        loading = asyncio.ensure_future(live.find("m"))
        await store.reached.wait()
        closing = asyncio.ensure_future(live.close())
        await asyncio.sleep(0)
        store.gate.set()
        await closing
        assert ((await loading).is_gone, len(live)) == (True, 0)


async def test_a_match_stays_in_memory_while_a_clock_runs() -> None:
    time = FakeTime()
    async with timed_match(time) as (live, match):
        time.now += timedelta(seconds=3_600)
        assert (live.let_idle_go(), match.has_duties) == (0, True)


async def test_who_is_out_of_time_loses_by_the_rules_that_say_so() -> None:
    time = FakeTime()
    async with live_matches(MemoryStore(), LIMITS, time=time.keeper) as live:
        await live.submit("m", create(turn_seconds=5, on_timeout=OnTimeout.FORFEIT))
        await live.submit("m", join("b"))
        match = await live.find("m")
        (clock,) = match.match.clocks
        with growing(match) as growth:
            time.advance(6)
            await growth.events()
        assert match.match.status is MatchStatus.FINISHED
        assert match.match.times_fool[clock.seat] == 1
