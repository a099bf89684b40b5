"""What a server does beside its calls."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def in_background(duty: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Let a duty run until the end of the block."""
    task = asyncio.create_task(duty)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
