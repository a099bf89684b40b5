"""Matches that everybody forgot, in memory or in the store, by a time that only the test moves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from durak_server.matches import AbandonReason, MatchAbandoned, MatchStatus
from durak_server.observe.metrics import Metrics
from durak_server.runtime import (
    Limits,
    LiveMatch,
    LiveMatches,
    Surroundings,
    expire_matches,
)
from durak_server.store import EventStore, MemoryStore
from tests.fake_time import FakeTime
from tests.runtime.faulty_stores import CountingStore, FullStore, GapStore
from tests.runtime.tables import create, done, join, next_move

LIMITS = Limits(open=timedelta(hours=1), playing=timedelta(hours=24), timeouts_in_a_row=6)


class House:
    """A server's matches, and what it does about those forgotten."""

    def __init__(self, store: EventStore, time: FakeTime) -> None:
        self.metrics = Metrics("test")
        self.time = time
        self.around = Surroundings(store, self.metrics, LIMITS, time.keeper)
        self.live = LiveMatches(self.around)

    async def expire_after(self, hours: float) -> None:
        """Let so much time pass, then have forgotten matches expire."""
        self.time.now += timedelta(hours=hours)
        await expire_matches(self.live, self.around)

    def expired(self, status: str) -> float:
        name = "durak_matches_expired_total"
        return self.metrics.registry.get_sample_value(name, {"status": status}) or 0


@asynccontextmanager
async def house(store: EventStore, time: FakeTime | None = None) -> AsyncIterator[House]:
    """Matches over a store; they end with the block."""
    one = House(store, time or FakeTime())
    try:
        yield one
    finally:
        await one.live.close()


async def statuses(store: MemoryStore, *match_ids: str) -> list[MatchStatus]:
    """Return how matches stand in the store."""
    async with house(store) as one:
        return [(await one.live.find(match_id)).match.status for match_id in match_ids]


async def test_matches_expire_when_nobody_acts_whether_in_memory_or_not() -> None:
    time, store = FakeTime(), MemoryStore()
    async with house(store, time) as before:
        await before.live.submit("old", create("old"))
    async with house(store, time) as one:
        await one.live.submit("open", create("open"))
        await one.live.submit("playing", create("playing"))
        await one.live.submit("playing", join("b"))
        await one.expire_after(hours=0.9)
        assert (one.expired("OPEN"), one.expired("PLAYING")) == (0, 0)
        await one.expire_after(hours=0.1)
        assert (one.expired("OPEN"), one.expired("PLAYING")) == (2, 0)
        playing = await one.live.find("playing")
        done(await playing.submit(next_move(playing.match)))
        await one.expire_after(hours=23)
        assert one.expired("PLAYING") == 0
        await one.expire_after(hours=1)
        assert (one.expired("OPEN"), one.expired("PLAYING")) == (2, 1)
        assert len(one.live) == 0
    assert await statuses(store, "old", "open", "playing") == [MatchStatus.ABANDONED] * 3
    for match_id in ("old", "open", "playing"):
        event = (await store.read(match_id))[-1].event
        assert event == MatchAbandoned(AbandonReason.EXPIRED)


async def test_who_follows_sees_the_match_expire() -> None:
    async with house(MemoryStore()) as one:
        await one.live.submit("m", create())
        match = await one.live.find("m")
        with match.watch(match.history.sequence, "") as watcher:
            await one.expire_after(hours=1)
            first, last = watcher.advance()
        assert [record.event for record in match.history.records(first, last)] == [
            MatchAbandoned(AbandonReason.EXPIRED)
        ]


async def test_a_match_whose_clock_plays_it_for_nobody_expires() -> None:
    time = FakeTime()
    async with house(MemoryStore(), time) as one:
        await one.live.submit("m", create(turn_seconds=60, deals=0))
        await one.live.submit("m", join("b"))
        match = await one.live.find("m")
        time.now += timedelta(hours=23.9)
        with match.watch(match.history.sequence, "") as watcher:
            time.advance(120)
            await watcher.wait(10)
        await one.expire_after(hours=0)
        assert one.expired("PLAYING") == 0
        await one.expire_after(hours=0.1)
        assert (one.expired("PLAYING"), match.match.status) == (1, MatchStatus.ABANDONED)
        assert time.advance(1_000) == 0


async def test_a_match_that_only_clocks_play_ends_also_if_the_server_restarts_meanwhile() -> None:
    time, store = FakeTime(), MemoryStore()
    async with house(store, time) as before:
        await before.live.submit("m", create(turn_seconds=1, deals=0))
        await before.live.submit("m", join("b"))
        await first_deal_runs_out(await before.live.find("m"), time)
        await turns_run_out(await before.live.find("m"), time, 4)
    async with house(store, time) as one:
        match = await one.live.find("m")
        await turns_run_out(match, time, 5)
        assert match.match.status is MatchStatus.PLAYING
        await turns_run_out(match, time, 6)
        assert (one.expired("PLAYING"), match.match.status) == (1, MatchStatus.ABANDONED)


async def first_deal_runs_out(match: LiveMatch, time: FakeTime) -> None:
    """Let nobody act until the first deal is over, before which nothing counts."""
    while match.match.deal < 2:
        with match.watch(match.history.sequence, "") as watcher:
            time.advance(100)
            await watcher.wait(10)


async def turns_run_out(match: LiveMatch, time: FakeTime, in_a_row: int) -> None:
    """Let time pass until so many turns have run out, one after another."""
    while match.match.timeouts_in_a_row < in_a_row:
        with match.watch(match.history.sequence, "") as watcher:
            time.advance(100)
            await watcher.wait(10)


async def test_more_matches_than_are_asked_for_at_a_time_expire_all_the_same() -> None:
    time, store = FakeTime(), CountingStore()
    ids = [f"m{number:03}" for number in range(205)]
    async with house(store, time) as before:
        for match_id in ids:
            await before.live.submit(match_id, create(match_id))
    async with house(store, time) as one:
        await one.expire_after(hours=1)
        assert (one.expired("OPEN"), len(one.live)) == (205, 0)


async def test_a_match_that_cannot_be_read_hinders_no_other() -> None:
    time, store = FakeTime(), GapStore()
    async with house(store, time) as before:
        for match_id in ("a", "b", "c"):
            await before.live.submit(match_id, create(match_id))
    store.broken = "b"
    async with house(store, time) as one:
        await one.expire_after(hours=1)
        assert one.expired("OPEN") == 2
        store.broken = ""
        await one.expire_after(hours=0)
        assert one.expired("OPEN") == 3


async def test_what_cannot_be_stored_now_expires_the_next_time() -> None:
    store = FullStore()
    async with house(store) as one:
        await one.live.submit("m", create())
        store.is_full = True
        await one.expire_after(hours=1)
        assert (await one.live.find("m")).match.status is MatchStatus.OPEN
        store.is_full = False
        await one.expire_after(hours=0)
        assert one.expired("OPEN") == 1


async def test_a_server_that_stops_lets_no_more_matches_expire() -> None:
    async with house(MemoryStore()) as one:
        await one.live.submit("m", create())
        one.live.stop_making()
        await one.expire_after(hours=9)
        assert one.expired("OPEN") == 0
