"""What a server does beside its calls."""

import asyncio
import json

from durak_server.background import in_background
from tests.debug_lines import debug_lines


async def test_a_duty_that_fails_is_told_at_once_and_harms_nothing_else() -> None:
    failed = asyncio.Event()

    async def duty() -> None:
        failed.set()
        raise KeyError("k")

    with debug_lines() as lines:
        async with in_background(duty()):
            await failed.wait()
            told = [json.loads(line) for line in lines.getvalue().splitlines()]

    assert [line["event"] for line in told] == ["a duty of the server has failed"]
    assert told[0]["level"] == "error"
    assert "KeyError" in told[0]["exception"]
