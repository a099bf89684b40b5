"""What a server does beside its calls."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

from durak_server.observe.logs import logger

_log = logger(__name__)


@asynccontextmanager
async def in_background(duty: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Let a duty run until the end of the block; if it fails before, the log says so at once."""
    task = asyncio.create_task(_told_of(duty))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        duty.close()  # it has not begun if the block ended at once


async def _told_of(duty: Coroutine[None, None, None]) -> None:
    try:
        await duty
    except Exception:
        _log.exception("a duty of the server has failed")
