"""Many waits with one longest time."""

import asyncio

import pytest

from durak_server.api.longest_wait import LongestWait


async def waited(longest: LongestWait, event: asyncio.Event) -> bool:
    """Whether an event came in time."""
    try:
        async with longest.bounded():
            return await event.wait()
    except TimeoutError:
        return False


async def test_each_wait_ends_at_its_time_and_no_other_with_it() -> None:
    longest, never, now = LongestWait(0.02), asyncio.Event(), asyncio.Event()
    now.set()
    first = asyncio.gather(*(waited(longest, never) for _ in range(3)))
    assert await waited(longest, now)
    assert await waited(longest, never) is False
    assert await first == [False] * 3
    # The timer has rung: the next wait needs another.
    assert await waited(longest, never) is False
    assert await waited(longest, now)


async def test_waits_that_are_over_leave_one_timer_and_nothing_else() -> None:
    longest, now = LongestWait(1_000), asyncio.Event()
    now.set()
    loop = asyncio.get_running_loop()
    before = len(loop._scheduled)  # type: ignore[attr-defined]  # no public way to count timers
    for _ in range(50):
        assert await waited(longest, now)
    assert len(loop._scheduled) - before == 1  # type: ignore[attr-defined]  # as above


async def test_a_wait_that_is_cancelled_is_no_time_out() -> None:
    longest = LongestWait(1_000)
    waiting = asyncio.create_task(waited(longest, asyncio.Event()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
