"""What holds of matches in memory: commands, waking, watching, draining."""

import asyncio
from datetime import timedelta

import pytest

from durak_server.matches import BrokenLog, MatchReason, MatchRefusal, MatchStatus
from durak_server.runtime import (
    Limits,
    MatchBusy,
    MatchMissing,
    NoNewMatches,
    Outcome,
    SequenceAhead,
    ShuttingDown,
    TooManyWatchers,
    WatcherTooSlow,
)
from durak_server.store import MemoryStore
from tests.runtime.faulty_stores import (
    CountingStore,
    GapStore,
    SlowStore,
)
from tests.runtime.tables import create, done, join, live_matches, next_move, playing


async def test_a_deal_is_stored_with_the_command_that_led_to_it() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        await live.submit("m", create())
        outcome = done(await live.submit("m", join("b", "join")))

    records = await store.read("m")
    kinds = [type(record.event).__name__ for record in records]
    assert kinds == [
        "MatchCreated", "PlayerJoined", "DealCommitted", "PlayerJoined", "MatchStarted",
        "DealStarted", "BoutStarted",
    ]  # fmt: skip
    assert {record.request_id for record in records[3:]} == {"join"}
    assert (outcome.first, outcome.last) == (4, 7)
    assert outcome.match.status is MatchStatus.PLAYING


async def test_memory_is_the_fold_of_the_store_after_every_command() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        match = await playing(live)
        while match.match.status is MatchStatus.PLAYING:
            done(await match.submit(next_move(match.match)))
            assert match.history.records(0) == await store.read("m")
        kept = match.match

    async with live_matches(store) as live:
        assert (await live.find("m")).match == kept


async def test_a_caller_who_gives_up_does_not_stop_his_command() -> None:
    store = SlowStore()
    async with live_matches(store) as live:
        match = await playing(live)
        command = next_move(match.match, "move")
        store.gate.clear()
        store.reached.clear()
        call = asyncio.ensure_future(match.submit(command))
        await store.reached.wait()

        call.cancel()
        await asyncio.wait([call])
        store.gate.set()

        again = done(await match.submit(command))
        assert (again.first, again.last) == (8, match.match.sequence)
        assert len([r for r in await store.read("m") if r.request_id == "move"]) == 1


async def test_nobody_sees_a_move_before_it_is_stored() -> None:
    store = SlowStore()
    async with live_matches(store) as live:
        match = await playing(live)
        before, view = match.match, match.view(0)
        store.gate.clear()
        store.reached.clear()
        call = asyncio.ensure_future(match.submit(next_move(before)))
        await store.reached.wait()

        assert match.match == before
        assert match.view(0) == view

        store.gate.set()
        await call
        assert match.match.sequence > before.sequence


async def test_a_full_inbox_refuses_and_the_match_goes_on() -> None:
    store = SlowStore()
    async with live_matches(store, Limits(inbox=2)) as live:
        match = await playing(live)
        store.gate.clear()
        store.reached.clear()
        being_done = asyncio.ensure_future(match.submit(next_move(match.match, "1")))
        await store.reached.wait()
        waiting = [asyncio.ensure_future(match.submit(join("a"))) for _ in range(2)]
        await asyncio.sleep(0)

        with pytest.raises(MatchBusy):
            await match.submit(join("a"))

        store.gate.set()
        done(await being_done)
        for answer in await asyncio.gather(*waiting):
            assert done(answer).match == match.match


async def test_waking_tells_of_a_match_that_cannot_be_read_and_goes_on() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        await playing(live, "readable")
    async with live_matches(store) as live:
        await live.wake(["missing", "readable"])

        assert [match.match_id for match in live] == ["readable"]


async def test_waking_goes_on_after_a_log_that_makes_no_sense() -> None:
    store = GapStore()
    async with live_matches(store) as live:
        await playing(live, "broken")
        await playing(live, "sound")
    store.broken = "broken"
    async with live_matches(store) as live:
        with pytest.raises(BrokenLog):
            await live.find("broken")

        await live.wake(["broken", "sound"])

        assert [match.match_id for match in live] == ["sound"]


async def test_a_match_that_is_not_there_is_sought_once_for_all_who_ask() -> None:
    store = CountingStore()
    async with live_matches(store) as live:
        answers = await asyncio.gather(
            *(live.find("m") for _ in range(100)), return_exceptions=True
        )

        assert [type(answer) for answer in answers] == [MatchMissing] * 100
        assert store.reads == 1
        assert len(live) == 0


async def test_a_match_is_made_while_others_seek_it() -> None:
    async with live_matches(MemoryStore()) as live:
        *sought, made = await asyncio.gather(
            *(live.find("m") for _ in range(10)),
            live.submit("m", create()),
            return_exceptions=True,
        )

        assert isinstance(made, Outcome)
        assert {type(answer) for answer in sought} == {MatchMissing}
        assert (await live.find("m")).match == made.match


async def test_a_match_that_was_not_made_is_not_kept() -> None:
    async with live_matches(MemoryStore()) as live:
        with pytest.raises(MatchMissing):
            await live.find("m")
        with pytest.raises(MatchMissing):
            await live.submit("m", join("b"))
        refused = await live.submit("m", create(seats=9))

        assert isinstance(refused, MatchRefusal)
        assert refused.reason is MatchReason.INVALID_FIELD
        assert len(live) == 0


async def test_many_who_ask_for_a_match_at_once_get_the_same() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        await playing(live)
    async with live_matches(store) as live:
        found = await asyncio.gather(*(live.find("m") for _ in range(10)))

        assert len(set(map(id, found))) == 1


async def test_an_idle_match_leaves_memory_and_a_followed_one_stays() -> None:
    async with live_matches(MemoryStore(), Limits(idle=timedelta(0))) as live:
        followed, _ = await playing(live, "followed"), await playing(live, "idle")

        with followed.watch(0, ""):
            assert live.let_idle_go() == 1
            assert [match.match_id for match in live] == ["followed"]
        assert live.let_idle_go() == 1

        assert (await live.find("idle")).match.status is MatchStatus.PLAYING


async def test_a_match_just_used_stays_in_memory() -> None:
    async with live_matches(MemoryStore(), Limits(idle=timedelta(hours=1))) as live:
        await playing(live)

        assert live.let_idle_go() == 0


async def test_a_watcher_gets_all_that_is_new_at_once() -> None:
    async with live_matches(MemoryStore()) as live:
        match = await playing(live)
        with match.watch(2, "") as watcher:
            assert watcher.advance() == (2, 7)
            for _ in range(3):
                done(await match.submit(next_move(match.match)))
            await watcher.wait(60)

            assert watcher.advance() == (7, match.match.sequence)


async def test_a_long_log_is_handed_over_in_parts_and_is_no_lag() -> None:
    async with live_matches(MemoryStore(), Limits(lag_events=1, events_at_once=4)) as live:
        match = await playing(live)
        with match.watch(0, "") as watcher:
            assert watcher.advance() == (0, 4)
            await watcher.wait(60)
            assert watcher.advance() == (4, 7)


async def test_a_watcher_too_far_behind_is_told_where_it_was() -> None:
    async with live_matches(MemoryStore(), Limits(lag_events=3)) as live:
        match = await playing(live)
        with match.watch(0, "") as watcher:
            watcher.advance()
            while match.match.sequence <= 10:
                done(await match.submit(next_move(match.match)))

            with pytest.raises(WatcherTooSlow) as error:
                await watcher.wait(60)
            assert error.value.sequence == 7


async def test_a_match_has_so_many_watchers_and_none_from_the_future() -> None:
    async with live_matches(MemoryStore(), Limits(watchers=1)) as live:
        match = await playing(live)

        with pytest.raises(SequenceAhead) as error, match.watch(8, ""):
            pass
        assert error.value.sequence == 7
        with match.watch(7, ""), pytest.raises(TooManyWatchers), match.watch(7, ""):
            pass
        with match.watch(7, "") as watcher:
            assert watcher.advance() == (7, 7)


async def test_draining_refuses_new_matches_and_ends_streams_but_not_moves() -> None:
    async with live_matches(MemoryStore()) as live:
        match = await playing(live)
        with match.watch(0, "") as watcher:
            live.stop_making()
            with pytest.raises(NoNewMatches):
                await live.submit("n", create("n"))
            assert watcher.advance() == (0, 7)

            live.end_streams()
            with pytest.raises(ShuttingDown):
                watcher.advance()
        with pytest.raises(ShuttingDown):
            live.refuse_streams()
        done(await match.submit(next_move(match.match)))


async def test_closing_does_what_waits_in_the_inboxes() -> None:
    store = SlowStore()
    async with live_matches(store) as live:
        match = await playing(live)
        store.gate.clear()
        store.reached.clear()
        being_done = asyncio.ensure_future(match.submit(next_move(match.match)))
        waiting = asyncio.ensure_future(match.submit(join("a")))
        await store.reached.wait()

        closing = asyncio.ensure_future(live.close())
        store.gate.set()
        await closing

        assert done(await being_done).last == done(await waiting).last
        assert len(await store.read("m")) == done(await being_done).last
        assert len(live) == 0
