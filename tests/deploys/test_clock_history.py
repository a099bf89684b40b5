"""The judge of clocks convicts logs in which somebody paid for an outage, and no other."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from durak_server.matches import ClockCredited, Record, TimeRanOut
from durak_server.runtime import Limits
from durak_server.store import MemoryStore
from tests.deploys.clock_history import Outage, clock_faults
from tests.fake_time import NOON, FakeTime
from tests.runtime.tables import create, join, live_matches, next_move

ALLOWANCE = 5
LIMITS = Limits(return_allowance=timedelta(seconds=ALLOWANCE))
OUTAGE = Outage(NOON + timedelta(seconds=10), NOON + timedelta(seconds=40))
SECOND = Outage(NOON + timedelta(seconds=43), NOON + timedelta(seconds=50))


@pytest.fixture
async def log() -> list[Record]:
    """A match that is begun at noon and waits for a player when the outage comes."""
    time, store = FakeTime(), MemoryStore()
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        await live.submit("m", create(turn_seconds=30))
        await live.submit("m", join("b"))
    time.advance(40)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        match = await live.find("m")
        time.advance(1)
        await match.submit(next_move(match.match))
    return await store.read("m")


async def twice_away() -> list[Record]:
    """A match in which nobody moves over two outages."""
    time, store = FakeTime(), MemoryStore()
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        await live.submit("m", create(turn_seconds=30))
        await live.submit("m", join("b"))
    for outage in (OUTAGE, SECOND):
        time.advance((outage.over - time.now).total_seconds())
        async with live_matches(store, LIMITS, time=time.keeper) as live:
            await live.find("m")
    return await store.read("m")


def judged(log: Sequence[Record], back_after: float | None) -> list[str]:
    """Judge a match whose players were back so many seconds after the outage, or never."""
    back = [] if back_after is None else [OUTAGE.over + timedelta(seconds=back_after)]
    return list(clock_faults(log, [OUTAGE], {"a": back, "b": back}))


def with_credit(log: Sequence[Record], seconds: float) -> list[Record]:
    """The same log, but for what was given back."""
    return [
        replace(record, event=replace(record.event, credit=timedelta(seconds=seconds)))
        if isinstance(record.event, ClockCredited)
        else record
        for record in log
    ]


@pytest.mark.parametrize("back_after", [-1, 0, ALLOWANCE])
def test_a_player_who_got_the_time_of_his_absence_has_not_paid(
    log: list[Record], back_after: float
) -> None:
    assert judged(log, back_after) == []


def test_a_player_who_was_away_for_longer_than_he_was_given_has_paid(log: list[Record]) -> None:
    (fault,) = judged(with_credit(log, 29), back_after=0)
    assert fault.endswith("was away for 0:00:30 of a turn, got 0:00:29")


def test_a_player_who_was_given_nothing_has_paid(log: list[Record]) -> None:
    (fault,) = judged(with_credit(log, 0), back_after=0)
    assert fault.endswith("was away for 0:00:30 of a turn, got 0:00:00")


async def test_a_player_who_was_late_has_not_paid_if_he_was_given_the_rest() -> None:
    time, store = FakeTime(), MemoryStore()
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        await live.submit("m", create(turn_seconds=30))
        await live.submit("m", join("b"))
    time.advance(40)
    async with live_matches(store, LIMITS, time=time.keeper) as live:
        match = await live.find("m")
        assert judged(match.history.records(0), back_after=25) != []
        time.advance(25)
        with match.watch(0, "a"), match.watch(0, "b"):
            await match.submit(join("c"))
        assert judged(match.history.records(0), back_after=25) == []


async def test_a_player_pays_neither_for_two_outages_of_one_turn() -> None:
    log, outages = await twice_away(), [OUTAGE, SECOND]
    back = [OUTAGE.over + timedelta(seconds=2), SECOND.over + timedelta(seconds=ALLOWANCE)]
    assert list(clock_faults(log, outages, {"a": back, "b": back})) == []
    late = [back[0], back[1] + timedelta(seconds=60)]
    (fault,) = clock_faults(log, outages, {"a": late, "b": late})
    assert "of a turn, got" in fault


def test_a_player_who_did_not_come_back_is_told(log: list[Record]) -> None:
    (fault,) = judged(log, back_after=None)
    assert "never came back" in fault


def test_no_time_may_run_out(log: list[Record]) -> None:
    last = replace(log[-1], sequence=len(log) + 1, event=TimeRanOut(1))
    assert judged([*log, last], 0) == [f"seat 1 ran out of time at event {len(log) + 1}"]
