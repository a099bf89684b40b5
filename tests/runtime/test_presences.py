"""Who is here, by a time that only the test moves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from durak_server.matches import LeaveMatch, Presence
from durak_server.observe.metrics import Metrics
from durak_server.runtime import LiveMatch, LiveMatches, Presences, Surroundings
from durak_server.store import EventStore, MemoryStore
from tests.fake_time import FakeTime
from tests.runtime.faulty_stores import FullStore, OrderedStore, SlowStore
from tests.runtime.tables import create, done, join

GRACE = 20


@asynccontextmanager
async def house(
    time: FakeTime, store: EventStore | None = None
) -> AsyncIterator[tuple[Presences, LiveMatches]]:
    """Matches that are told who is here."""
    presences = Presences(time.keeper, timedelta(seconds=GRACE))
    around = Surroundings(store or MemoryStore(), Metrics("test"), time=time.keeper)
    live = LiveMatches(around, presences.attend)
    try:
        yield presences, live
    finally:
        await presences.close()
        await live.close()


async def table_of(presences: Presences, live: LiveMatches, *others: str) -> LiveMatch:
    """A match of "a" and others, who all have just called."""
    await live.submit("m", create(seats=max(2, 1 + len(others))))
    presences.saw("a")
    for player_id in others:
        presences.saw(player_id)
        await live.submit("m", join(player_id))
    return await live.find("m")


async def told(match: LiveMatch) -> list[str]:
    """Return who is away, once everything that is under way has come to rest."""
    for _ in range(50):
        await asyncio.sleep(0)
    sitting = [player for player in match.match.seats if player]
    return [player.player_id for player in sitting if player.presence is Presence.AWAY]


async def test_who_does_not_call_any_more_is_away_when_the_grace_is_over() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live, "b")
        time.advance(GRACE - 5)
        presences.saw("b")
        time.advance(5)
        assert await told(match) == ["a"]
        time.advance(GRACE - 5)
        assert await told(match) == ["a", "b"]


async def test_who_has_a_stream_open_is_here_however_long_he_is_silent() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live, "b")
        with presences.stream_of("a"), presences.stream_of("b"):
            time.advance(3_600)
            assert await told(match) == []
        time.advance(GRACE - 1)
        assert await told(match) == []
        time.advance(1)
        assert await told(match) == ["a", "b"]


async def test_the_late_end_of_an_old_connection_is_no_going_away() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        old = presences.stream_of("a")
        old.__enter__()
        time.advance(100)
        with presences.stream_of("a"):
            time.advance(100)
            old.__exit__(None, None, None)
            time.advance(3_600)
            assert await told(match) == []


async def test_a_stream_that_comes_back_within_the_grace_is_not_told() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        sequence = match.history.sequence
        for _ in range(5):
            with presences.stream_of("a"):
                time.advance(60)
            time.advance(GRACE - 1)
        assert await told(match) == []
        assert match.history.sequence == sequence


async def test_who_calls_again_is_back_at_all_his_tables() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        await live.submit("n", create("n"))
        other = await live.find("n")
        time.advance(GRACE)
        assert (await told(match), await told(other)) == (["a"], ["a"])
        presences.saw("a")
        assert (await told(match), await told(other)) == ([], [])


async def test_after_a_restart_who_does_not_come_back_is_away() -> None:
    time, store = FakeTime(), MemoryStore()
    async with house(time, store) as (presences, live):
        await table_of(presences, live, "b")
    async with house(time, store) as (presences, live):
        match = await live.find("m")
        presences.saw("b")
        time.advance(GRACE - 1)
        presences.saw("b")
        time.advance(1)
        assert await told(match) == ["a"]


async def test_a_match_read_again_takes_nobody_for_here_of_whom_nothing_is_known() -> None:
    time, store = FakeTime(), MemoryStore()
    async with house(time, store) as (presences, live):
        match = await table_of(presences, live, "b")
        time.advance(GRACE)
        assert await told(match) == ["a", "b"]
    async with house(time, store) as (presences, live):
        match = await live.find("m")
        assert await told(match) == ["a", "b"]
        presences.saw("a")
        assert await told(match) == ["b"]


async def test_who_left_his_seat_is_told_of_no_more() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live, "b", "c")
        done(await match.submit(LeaveMatch("b", "")))
        sequence = match.history.sequence
        time.advance(GRACE)
        assert await told(match) == ["a", "c"]
        assert match.history.sequence == sequence + 2


async def test_what_the_store_cannot_take_is_told_again() -> None:
    time, store = FakeTime(), FullStore()
    async with house(time, store) as (presences, live):
        match = await table_of(presences, live)
        store.is_full = True
        time.advance(GRACE)
        assert await told(match) == []
        store.is_full = False
        time.advance(1)
        assert await told(match) == ["a"]


async def tables_of(presences: Presences, live: LiveMatches, number: int) -> list[LiveMatch]:
    """So many matches of "a", who has just called."""
    presences.saw("a")
    for each in range(number):
        await live.submit(f"m{each}", create(f"m{each}"))
    return [await live.find(f"m{each}") for each in range(number)]


async def test_few_matches_are_told_at_a_time() -> None:
    time, store = FakeTime(), SlowStore()
    async with house(time, store) as (presences, live):
        matches = await tables_of(presences, live, 40)
        store.gate.clear()
        time.advance(GRACE)
        assert await told(matches[0]) == []
        assert store.waiting == 16
        store.gate.set()
        assert [await told(match) for match in matches] == [["a"]] * 40


async def test_who_comes_back_before_a_match_is_told_was_never_away_there() -> None:
    time, store = FakeTime(), SlowStore()
    async with house(time, store) as (presences, live):
        matches = await tables_of(presences, live, 40)
        sequences = [match.history.sequence for match in matches]
        store.gate.clear()
        time.advance(GRACE)
        await told(matches[0])
        presences.saw("a")
        store.gate.set()
        assert [await told(match) for match in matches] == [[]] * 40
        grown = [
            match.history.sequence - before
            for match, before in zip(matches, sequences, strict=True)
        ]
        assert sorted(grown) == [0] * 24 + [2] * 16


async def test_who_sits_at_one_table_does_not_wait_for_who_sits_at_many() -> None:
    time, store = FakeTime(), OrderedStore()
    async with house(time, store) as (presences, live):
        matches = await tables_of(presences, live, 40)
        presences.saw("b")
        await live.submit("b's", replace(create("b's"), player_id="b"))
        del store.stored[:]
        time.advance(GRACE)
        assert [await told(match) for match in matches] == [["a"]] * 40
        assert len(store.stored) == 41
        assert store.stored.index("b's") <= 16


async def goes_after(match: LiveMatch, presences: Presences, time: FakeTime) -> int:
    """Let "a" call and then be silent; return after how many graces the table is told."""
    presences.saw("a")
    assert await told(match) == []
    for graces in range(1, 100):
        time.advance(GRACE)
        if await told(match):
            return graces
    raise AssertionError("the table is never told")


async def test_who_comes_and_goes_again_and_again_is_told_of_later() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        times = [await goes_after(match, presences, time) for _ in range(8)]
        assert times == [1, 2, 2, 2, 2, 2, 2, 2]


async def test_who_has_been_here_for_long_goes_as_soon_as_anybody() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        for _ in range(5):
            await goes_after(match, presences, time)
        with presences.stream_of("a"):
            time.advance(4 * GRACE)
        assert await goes_after(match, presences, time) == 1


async def test_who_comes_seldom_goes_as_soon_as_anybody() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        for _ in range(5):
            assert await goes_after(match, presences, time) == 1
            time.advance(4 * GRACE)


async def test_a_match_that_is_only_told_who_is_here_leaves_memory_and_is_told_no_more() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        time.advance(GRACE)
        assert await told(match) == ["a"]
        time.advance(40)
        assert live.let_idle_go() == 1
        presences.saw("a")
        assert await told(match) == ["a"]
        assert await told(await live.find("m")) == []


async def test_while_the_server_stops_nobody_is_taken_for_gone() -> None:
    time = FakeTime()
    async with house(time) as (presences, live):
        match = await table_of(presences, live)
        await presences.close()
        time.advance(GRACE)
        assert await told(match) == []
