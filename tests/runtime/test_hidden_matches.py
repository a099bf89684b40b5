"""What hides from strangers is not there for them, whatever else is wrong."""

import asyncio
from dataclasses import replace

import pytest

from durak_server.matches import SetReady, Spectators, Visibility
from durak_server.runtime import Limits, MatchBusy, MatchMissing
from tests.runtime.faulty_stores import SlowStore
from tests.runtime.tables import create, done, join, live_matches


async def test_a_match_that_hides_from_a_stranger_is_not_busy_for_him_either() -> None:
    store = SlowStore()
    async with live_matches(store, Limits(inbox=1)) as live:
        hidden = replace(create("m"), visibility=Visibility.UNLISTED, spectators=Spectators.NONE)
        done(await live.submit("m", hidden))
        store.gate.clear()
        store.reached.clear()
        being_done = asyncio.ensure_future(live.submit("m", SetReady("a", "1", is_ready=True)))
        await store.reached.wait()
        waiting = asyncio.ensure_future(live.submit("m", SetReady("a", "2", is_ready=True)))
        await asyncio.sleep(0)

        for stranger in (SetReady("x", "", is_ready=True), join("x")):
            with pytest.raises(MatchMissing):
                await live.submit("m", stranger)
        with pytest.raises(MatchBusy):
            await live.submit("m", SetReady("a", "", is_ready=True))

        store.gate.set()
        for answer in await asyncio.gather(being_done, waiting):
            done(answer)
