"""Rematches of matches in memory: made once, whatever fails and when."""

import asyncio
from collections.abc import Sequence
from itertools import islice

import pytest

from durak_server.matches import (
    MatchStatus,
    MatchSummary,
    Record,
    RematchMade,
    RematchOffered,
    WantRematch,
    rematch_ids,
)
from durak_server.observe.metrics import Metrics
from durak_server.runtime import LiveMatch, LiveMatches, NoNewMatches
from durak_server.store import EventStore, MemoryStore, StoreUnavailable
from tests.runtime.tables import create, done, live_matches, next_move, playing


class CrashingStore(MemoryStore):
    """Stores only the first so many appends that come after it was told."""

    left: int | None = None

    async def append(
        self, match_id: str, after: int, records: Sequence[Record], summary: MatchSummary
    ) -> None:
        if self.left == 0:
            raise StoreUnavailable("gone")
        if self.left is not None:
            self.left -= 1
        await super().append(match_id, after, records, summary)


async def finished(live: LiveMatches) -> LiveMatch:
    """Play a match of "a" and "b" to its end."""
    match = await playing(live)
    while match.match.status is MatchStatus.PLAYING:
        done(await match.submit(next_move(match.match)))
    return match


async def want(live: LiveMatches, player_id: str) -> str:
    done(await live.submit("m", WantRematch(player_id, f"want-{player_id}")))
    return await live.rematch_of("m")


async def rematch_events(store: EventStore) -> list[object]:
    kinds = RematchOffered | RematchMade
    return [record.event for record in await store.read("m") if isinstance(record.event, kinds)]


async def test_the_rematch_stands_before_it_is_announced() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        match = await finished(live)
        (next_id,) = islice(rematch_ids(match.match), 1)
        assert await want(live, "b") == ""
        with match.watch(match.history.sequence, "") as watcher:
            done(await live.submit("m", WantRematch("a", "")))
            while not match.match.next_match_id:
                watcher.advance()
                await watcher.wait(10)
        following = await live.find(next_id)
        assert (following.match.status, following.match.previous_match_id) == (
            MatchStatus.PLAYING,
            "m",
        )
        assert await want(live, "a") == next_id
    assert await rematch_events(store) == [
        RematchOffered(1),
        RematchOffered(0),
        RematchMade(next_id),
    ]


async def test_two_who_accept_at_once_get_one_rematch_which_is_counted_once() -> None:
    store, metrics = MemoryStore(), Metrics("test")
    async with live_matches(store, metrics=metrics) as live:
        await finished(live)
        found = await asyncio.gather(*(want(live, player) for player in "abab"))
        assert {match_id for match_id in found if match_id} == {await live.rematch_of("m")}
    assert [type(event) for event in await rematch_events(store)].count(RematchMade) == 1
    counted = [
        metrics.registry.get_sample_value("durak_rematches_total", {"kind": kind})
        for kind in ("OFFERED", "MADE")
    ]
    assert counted == [2, 1]


@pytest.mark.parametrize("stored", [1, 2])
async def test_a_crash_between_the_steps_leaves_one_rematch_announced_once(stored: int) -> None:
    store = CrashingStore()
    async with live_matches(store) as live:
        match = await finished(live)
        (next_id,) = islice(rematch_ids(match.match), 1)
        await want(live, "a")
        store.left = stored
        with pytest.raises(StoreUnavailable):
            await want(live, "b")
    store.left = None
    async with live_matches(store) as live:
        match = await live.find("m")
        assert await live.rematch_of("m") == next_id
        assert (await live.find(next_id)).match.deal == 1
    assert (await rematch_events(store))[2:] == [RematchMade(next_id)]


async def test_an_id_that_is_taken_by_another_match_is_passed_over() -> None:
    async with live_matches(MemoryStore()) as live:
        match = await finished(live)
        first, second = islice(rematch_ids(match.match), 2)
        done(await live.submit(first, create(first)))
        await want(live, "a")
        assert await want(live, "b") == second
        assert (await live.find(second)).match.previous_match_id == "m"


async def test_a_server_that_stops_takes_no_wish_for_a_rematch() -> None:
    async with live_matches(MemoryStore()) as live:
        await finished(live)
        live.stop_making()
        with pytest.raises(NoNewMatches):
            await want(live, "a")
