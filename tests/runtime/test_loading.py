"""Bringing a match into memory."""

import asyncio

from durak_server.matches import CreateMatch
from durak_server.rules import Preset, preset
from durak_server.store import MemoryStore
from tests.runtime.faulty_stores import SlowStore
from tests.runtime.tables import create, done, join, live_matches, next_move

EVENTS = 1_500


async def turns_until(done: "asyncio.Task[object]") -> int:
    """Count how often the event loop comes round until a task is done."""
    turns = 0
    while not done.done():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def test_others_do_not_wait_while_a_long_log_is_loaded() -> None:
    store = MemoryStore()
    rules = preset(Preset.PODKIDNOY, seats=2, deals=0)
    create = CreateMatch("a", "", "A", "m", "CODE", Preset.PODKIDNOY, rules, start_when_full=True)
    async with live_matches(store) as live:
        await live.submit("m", create)
        match = done(await live.submit("m", join("b"))).match
        while match.sequence < EVENTS:
            match = done(await live.submit("m", next_move(match))).match
    async with live_matches(store) as live:
        turns = await turns_until(asyncio.create_task(live.find("m")))
        assert (await live.find("m")).match == match
    assert turns > 50


async def test_what_is_credited_to_many_matches_at_a_start_is_stored_together() -> None:
    store, names = SlowStore(), ("m", "n", "o")
    async with live_matches(store) as live:
        for name in names:
            await live.submit(name, create(name, turn_seconds=30))
            await live.submit(name, join("b"))
    async with live_matches(store) as live:
        store.gate.clear()
        waking = asyncio.create_task(live.wake(names))
        while store.waiting < len(names):
            store.reached.clear()
            await store.reached.wait()
        store.gate.set()
        await waking
        assert len(live) == len(names)
