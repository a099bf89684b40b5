"""What a command costs, in function calls and bytes: they are the same on every machine."""

import sys
import tracemalloc
from collections.abc import Awaitable
from types import FrameType

from durak_server.matches import Phrase, Say, Speech
from durak_server.runtime import Limits, LiveMatch
from durak_server.store import MemoryStore
from tests.fake_time import NOON
from tests.runtime.tables import create, done, live_matches, playing

FEW, MANY = 10, 1_000


async def work_of(call: Awaitable[object]) -> int:
    """Await; return how many functions were called meanwhile, of Python and of C."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        await call
    finally:
        sys.setprofile(None)
    return calls


async def room_for(match: LiveMatch) -> int:
    """Return how many bytes it takes at a time to say something, the least of some times.

    Now and then a list of Python grows for many additions to come.
    """
    peaks = []
    tracemalloc.start()
    for _ in range(5):
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        await say(match)
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    tracemalloc.stop()
    return min(peaks)


async def say(match: LiveMatch) -> None:
    """Say something: as much to do in any position."""
    done(await match.submit(Say("a", "", Speech(phrase=Phrase.HELLO), NOON)))


async def test_a_command_is_as_much_work_after_a_thousand_events_as_after_ten() -> None:
    async with live_matches(MemoryStore()) as live:
        match = await playing(live)
        with match.watch(0, "b") as watcher:
            room, work = await room_for(match), await work_of(say(match))
            while match.match.sequence < MANY:
                await say(match)
            watcher.advance()
            late_room, late_work = await room_for(match), await work_of(say(match))

    assert late_work < 1.2 * work
    # A copy of the log would be eight bytes for each event.
    assert late_room - room < 8 * MANY / 2


async def test_a_match_is_as_much_work_to_make_beside_a_thousand_that_wait() -> None:
    async with live_matches(MemoryStore(), Limits()) as live:
        for number in range(FEW):
            await live.submit(f"waiting-{number}", create(f"waiting-{number}"))
        early = await work_of(live.submit("early", create("early")))
        for number in range(FEW, MANY):
            await live.submit(f"waiting-{number}", create(f"waiting-{number}"))
        late = await work_of(live.submit("late", create("late")))

    assert late < 1.2 * early
