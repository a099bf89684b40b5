"""Bytes sent to every method: whatever they are, the answer is one, and nothing is left of them.

`make fuzz` sends many more.
"""

import gc
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.api.operators import OPERATED, operating
from tests.fuzz.raw import raw_callers
from tests.live_server import connected, metric, running_server, until

MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "800"))
"""Half of them are sent before anything is counted: the first of a kind fill caches."""
_NOISE = 400
"""Objects of one type by which two counts differ without a leak."""
_SEED = int(os.environ.get("FUZZ_SEED", "1"))

SETTINGS = OPERATED | {"matches_per_player": 3, "heartbeat_seconds": 0.01}


def census() -> Counter[str]:
    """How many objects of each type there are."""
    gc.collect()
    return Counter(type(thing).__qualname__ for thing in gc.get_objects())


async def test_whatever_bytes_come_the_answer_is_one_and_nothing_stays(tmp_path: Path) -> None:
    dice = Random(_SEED)
    async with (
        running_server(**SETTINGS, store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        guest = await calls.guest()
        callers = await raw_callers(calls, operator, dice)
        weights = [len(caller.methods) for caller in callers]

        async def send(number: int) -> None:
            for _ in range(number):
                (caller,) = dice.choices(callers, weights)
                await caller.send_any(dice)
            await until(lambda: metric(server, "durak_streams") == 0, guest)

        await send(MESSAGES // 2)
        before = census()
        await send(MESSAGES // 2)
        grown = {name: more for name, more in (census() - before).items() if more > _NOISE}

    assert grown == {}


@pytest.mark.parametrize(
    "data",
    [b"\xff\xff\xff", b"\x0b" * 5_000, b"\x0a\xff\xff\xff\xff\x07", bytes(65_537)],
    ids=["no message", "open groups", "a great length", "too large"],
)
async def test_every_method_refuses_what_is_no_message(data: bytes) -> None:
    async with (
        running_server(**SETTINGS) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        for caller in await raw_callers(calls, operator, Random(_SEED)):
            for method in caller.methods:
                assert not await caller.send(method, data)
