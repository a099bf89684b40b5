"""Who cannot come back in time after a restart does not pay for it (rules.md, 15.5)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from durak_server.matches import (
    AddBot,
    ClockCredited,
    MatchRefusal,
    Say,
    Speech,
    TimeRanOut,
)
from durak_server.rules import ThrowInPriority
from durak_server.runtime import Limits, LiveMatch, LiveMatches
from durak_server.store import MemoryStore
from tests.fake_time import FakeTime
from tests.runtime.faulty_stores import FullStore, SlowStore
from tests.runtime.tables import create, done, join, live_matches, next_move

TURN, LAG, ALLOWANCE, LIMIT, OUTAGE = 30, 1, 10, 60, 100
LIMITS = Limits(
    lag_allowance=timedelta(seconds=LAG),
    return_allowance=timedelta(seconds=ALLOWANCE),
    return_limit=timedelta(seconds=LIMIT),
)
AT_THE_START = [OUTAGE + ALLOWANCE]
"""What whoever is on the clock is given before anybody is back."""


@asynccontextmanager
async def server(store: MemoryStore, time: FakeTime) -> AsyncIterator[LiveMatches]:
    """A server that goes on with the matches in the store."""
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        await live.wake(await store.playing_with_clocks())
        yield live


async def begin(live: LiveMatches, turn_seconds: int = TURN) -> None:
    """Deal for "a" and "b"."""
    await live.submit("m", create(turn_seconds=turn_seconds))
    await live.submit("m", join("b"))


async def stored(time: FakeTime, turn_seconds: int = TURN) -> MemoryStore:
    """A match of "a" and "b" whose server went away when the first turn had just begun."""
    store = MemoryStore()
    async with server(store, time) as live:
        await begin(live, turn_seconds)
    time.advance(OUTAGE)
    return store


@asynccontextmanager
async def restarted(time: FakeTime, turn_seconds: int = TURN) -> AsyncIterator[LiveMatch]:
    """Such a match just when the next server has read it."""
    async with server(await stored(time, turn_seconds), time) as live:
        yield await live.find("m")


def on_clock(match: LiveMatch) -> str:
    """Return whose clock runs."""
    (clock,) = match.match.clocks
    player = match.match.seats[clock.seat]
    assert player
    return player.player_id


async def come_back(match: LiveMatch, player_id: str) -> None:
    """Follow the match for so long that what that causes has happened."""
    with match.watch(match.history.sequence, player_id):
        await done_with_all(match)


async def done_with_all(match: LiveMatch) -> None:
    """Return once the match has done what it was asked before; commands wait for each other."""
    assert isinstance(await match.submit(join("too many")), MatchRefusal)


def greeting(player_id: str, time: FakeTime) -> Say:
    """The command by which a player says something, which no clock minds."""
    return Say(player_id, "", Speech(text="Hello"), time.now)


def credits(match: LiveMatch) -> list[float]:
    """Return the seconds of every credit in the log."""
    events = (record.event for record in match.history.records(0))
    return [event.credit.total_seconds() for event in events if isinstance(event, ClockCredited)]


def out_of_time(match: LiveMatch) -> list[int]:
    """Return the seats whose turns were ended, in order."""
    events = (record.event for record in match.history.records(0))
    return [event.seat for event in events if isinstance(event, TimeRanOut)]


def left(match: LiveMatch, time: FakeTime) -> float:
    """Return how many seconds are left on the only clock that runs."""
    (clock,) = match.match.clocks
    return (clock.deadline - time.now).total_seconds()


async def test_who_is_back_within_the_allowance_gets_nothing_besides() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        time.advance(ALLOWANCE)
        await come_back(match, on_clock(match))
        assert (credits(match), left(match, time)) == (AT_THE_START, TURN)
        assert time.advance(TURN + LAG) == 1


async def test_who_is_back_later_is_given_all_the_time_and_the_allowance_once_more() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        time.advance(25)
        await come_back(match, on_clock(match))
        assert (credits(match), left(match, time)) == ([*AT_THE_START, 25], TURN + ALLOWANCE)
        await come_back(match, on_clock(match))
        assert credits(match) == [*AT_THE_START, 25]


async def test_until_he_is_back_his_turn_is_not_ended() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        assert time.advance(LIMIT - 1) == 0
        assert left(match, time) < -LAG
        await come_back(match, on_clock(match))
        assert left(match, time) == TURN + ALLOWANCE
        assert out_of_time(match) == []


async def test_that_others_are_back_does_not_help_him_and_does_not_harm_him() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        away = on_clock(match)
        time.advance(LIMIT - 1)
        await come_back(match, "ab".replace(away, ""))
        await come_back(match, "a spectator")
        assert credits(match) == AT_THE_START
        await come_back(match, away)
        assert left(match, time) == TURN + ALLOWANCE


async def test_who_stays_away_stops_no_clock_for_ever() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        (clock,) = match.match.clocks
        assert (time.advance(LIMIT - 0.5), time.advance(0.5)) == (0, 1)
        await done_with_all(match)
        assert out_of_time(match) == [clock.seat]
        assert time.advance(TURN + LAG) == 1


async def test_the_turn_of_another_who_is_back_is_ended_meanwhile() -> None:
    time, store = FakeTime(), MemoryStore()
    async with server(store, time) as live:
        free = ThrowInPriority.FREE
        await live.submit("m", create(seats=3, turn_seconds=TURN, throw_in_priority=free))
        await live.submit("m", join("b"))
        match = done(await live.submit("m", join("c"))).match
        while len(match.clocks) < 2:
            match = done(await live.submit("m", next_move(match))).match
    back, away = match.clocks
    player = match.seats[back.seat]
    async with server(store, time) as live:
        found = await live.find("m")
        assert player
        await come_back(found, player.player_id)
        assert time.advance(TURN + ALLOWANCE + LAG) == 1
        await done_with_all(found)
        assert out_of_time(found) == [back.seat]
        assert time.advance(LIMIT) >= 1
        await done_with_all(found)
        assert out_of_time(found)[1] == away.seat


async def test_who_comes_back_after_the_limit_is_given_no_more_than_up_to_it() -> None:
    time = FakeTime()
    async with restarted(time, turn_seconds=600) as match:
        time.advance(LIMIT + 100)
        await come_back(match, on_clock(match))
        assert credits(match) == [*AT_THE_START, LIMIT]
        assert left(match, time) == 600 + ALLOWANCE - 100


async def test_a_turn_that_begins_while_its_player_is_away_waits_for_him_too() -> None:
    time = FakeTime()
    async with restarted(time) as match:
        await come_back(match, on_clock(match))
        time.advance(4)
        done(await match.submit(next_move(match.match)))
        assert time.advance(TURN + LAG + 10) == 0
        await come_back(match, on_clock(match))
        assert credits(match) == [*AT_THE_START, TURN + LAG + 10 + ALLOWANCE]
        assert left(match, time) == TURN + ALLOWANCE


async def test_a_restart_after_a_late_return_takes_nothing_of_what_was_given() -> None:
    time = FakeTime()
    store = await stored(time)
    async with server(store, time) as live:
        time.advance(25)
        match = await live.find("m")
        await come_back(match, on_clock(match))
    time.advance(OUTAGE)
    async with server(store, time) as live:
        assert left(await live.find("m"), time) == TURN + ALLOWANCE


async def test_whose_turn_begins_after_a_restart_on_the_turn_of_a_bot_is_waited_for_too() -> None:
    time, store = FakeTime(), MemoryStore()
    async with server(store, time) as live:
        await live.submit("m", create(turn_seconds=TURN))
        match = done(await live.submit("m", AddBot("a", "", "bot", "Bot"))).match
        while match.clocks:
            match = done(await live.submit("m", next_move(match))).match
    time.advance(OUTAGE)
    async with server(store, time) as live:
        found = await live.find("m")
        while not found.match.clocks:
            done(await found.submit(next_move(found.match)))
        assert time.advance(LIMIT - 1) == 0
        await come_back(found, "a")
        assert (out_of_time(found), left(found, time)) == ([], TURN + ALLOWANCE)


async def test_a_credit_for_a_late_return_that_cannot_be_stored_is_given_once_it_can() -> None:
    time, store = FakeTime(), FullStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(OUTAGE)
    async with server(store, time) as live:
        match = await live.find("m")
        time.advance(50)
        store.is_full = True
        await come_back(match, on_clock(match))
        for _ in range(3):
            time.advance(1)
            await done_with_all(match)
        store.is_full = False
        time.advance(1)
        await done_with_all(match)
        assert (out_of_time(match), left(match, time)) == ([], TURN + ALLOWANCE)


async def test_a_credit_for_a_late_return_that_finds_no_room_is_asked_for_again() -> None:
    time, store = FakeTime(), SlowStore()
    async with server(store, time) as live:
        await begin(live)
    time.advance(OUTAGE)
    narrow = replace(LIMITS, inbox=1)
    async with live_matches(store, narrow, time=time.keeper) as live:
        match = await live.find("m")
        player = on_clock(match)
        time.advance(50)
        store.gate.clear()
        store.reached.clear()
        being_stored = asyncio.ensure_future(match.submit(greeting(player, time)))
        await store.reached.wait()
        waiting = asyncio.ensure_future(match.submit(join("too many")))
        await asyncio.sleep(0)
        with match.watch(match.history.sequence, player) as watcher:
            store.gate.set()
            await asyncio.gather(being_stored, waiting)
            assert credits(match) == AT_THE_START
            watcher.advance()
            time.advance(1)
            await watcher.wait(10)
            assert (out_of_time(match), left(match, time)) == ([], TURN + ALLOWANCE)
