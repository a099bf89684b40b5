"""Bringing a match into memory."""

import asyncio

from durak_server.matches import CreateMatch
from durak_server.rules import Preset, preset
from durak_server.store import MemoryStore
from tests.runtime.tables import done, join, live_matches, next_move

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
