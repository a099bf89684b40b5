"""What becomes of a command whose records are stored not, perhaps, or by another."""

import asyncio

import pytest

from durak_server.matches import MatchRefusal
from durak_server.observe.metrics import Metrics
from durak_server.runtime import (
    LogLost,
    MatchGone,
)
from durak_server.store import MemoryStore, StoreUnavailable
from tests.runtime.faulty_stores import (
    ContestedStore,
    CutStore,
    FullStore,
    TornStore,
)
from tests.runtime.tables import create, done, join, live_matches, next_move, playing


async def test_a_store_that_cannot_store_leaves_the_match_as_it_was() -> None:
    store = FullStore()
    async with live_matches(store) as live:
        match = await playing(live)
        before = match.match
        store.is_full = True

        with pytest.raises(StoreUnavailable):
            await match.submit(next_move(before, "1"))
        assert match.match == before

        store.is_full = False
        assert done(await match.submit(next_move(before, "1"))).first == before.sequence + 1


async def test_records_that_were_stored_after_all_are_the_answer() -> None:
    store = TornStore()
    async with live_matches(store) as live:
        match = await playing(live)
        command = next_move(match.match, "move")
        store.is_torn = True

        first = done(await match.submit(command))

        store.is_torn = False
        again = done(await match.submit(command))
        assert (again.first, again.last, again.match) == (first.first, first.last, first.match)
        assert match.history.records(0) == await store.read("m")


async def test_records_that_were_not_stored_after_all_can_be_tried_again() -> None:
    store = TornStore()
    async with live_matches(store) as live:
        match = await playing(live)
        before, command = match.match, next_move(match.match, "move")
        store.is_torn, store.stores = True, False

        with pytest.raises(StoreUnavailable):
            await match.submit(command)
        assert match.match == before

        store.is_torn = False
        assert done(await match.submit(command)).first == before.sequence + 1
        assert match.history.records(0) == await store.read("m")


async def test_a_match_whose_log_cannot_be_read_is_forgotten_and_read_again() -> None:
    store = TornStore()
    async with live_matches(store) as live:
        match = await playing(live)
        command = next_move(match.match, "move")
        store.is_torn, store.can_read = True, False

        with pytest.raises(LogLost):
            await match.submit(command)
        assert match.is_gone
        with pytest.raises(StoreUnavailable):
            await live.find("m")

        store.is_torn, store.can_read = False, True
        outcome = done(await live.submit("m", command))
        assert outcome.history.records(0) == await store.read("m")
        assert len([r for r in await store.read("m") if r.request_id == "move"]) == 1


async def test_a_log_written_by_another_is_read_and_the_command_judged_anew() -> None:
    store = MemoryStore()
    async with live_matches(store) as ours, live_matches(store) as theirs:
        mine = await playing(ours)
        other = await theirs.find("m")
        move = next_move(mine.match)
        done(await other.submit(move))

        answer = await mine.submit(move)

        assert isinstance(answer, MatchRefusal)
        assert mine.match == other.match
        done(await mine.submit(next_move(mine.match)))
        assert mine.history.records(0) == await store.read("m")


async def test_a_log_that_others_always_write_first_is_given_up() -> None:
    async with live_matches(ContestedStore()) as live:
        with pytest.raises(StoreUnavailable):
            await live.submit("m", create())
        assert len(live) == 0


async def test_a_log_that_was_cut_is_an_alarm_and_the_match_is_forgotten() -> None:
    store, metrics = CutStore(), Metrics("test")
    async with live_matches(store, metrics=metrics) as live:
        match = await playing(live)
        with match.watch(0, "") as watcher:
            store.lost = 1

            with pytest.raises(LogLost):
                await match.submit(next_move(match.match))

            with pytest.raises(MatchGone):
                watcher.advance()
        assert metrics.registry.get_sample_value("durak_store_logs_cut_total") == 1
        assert (await live.find("m")).history.sequence == 6


async def test_who_waits_for_a_match_that_is_forgotten_is_told() -> None:
    store = TornStore()
    async with live_matches(store) as live:
        match = await playing(live)
        store.is_torn, store.can_read = True, False

        answers = await asyncio.gather(
            *(match.submit(next_move(match.match)) for _ in range(3)), return_exceptions=True
        )

        assert [type(answer) for answer in answers] == [LogLost, MatchGone, MatchGone]
        with pytest.raises(MatchGone):
            await match.submit(join("b"))
