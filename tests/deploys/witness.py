"""Somebody who watches how a server stops, as a balancer and a careless client would."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from grpc import aio
from grpc_health.v1 import health_pb2

from tests.api.tokenless import watch_health
from tests.live_server import Calls, failure_of

IN_ORDER = (
    "healthy",
    "not healthy",
    "no new match: SHUTTING_DOWN, come again",
    "health ends: SHUTTING_DOWN, come again",
)


@asynccontextmanager
async def witness(target: str) -> AsyncIterator[list[str]]:
    """Yield what is seen of a server that stops during the block, in order."""
    seen: list[str] = []
    async with aio.insecure_channel(target, options=[("grpc.enable_retries", 0)]) as channel:
        guest = await Calls(channel).guest("Witness")
        health = watch_health(channel)
        serving = await health.read()
        assert serving == health_pb2.HealthCheckResponse(status="SERVING")
        seen.append("healthy")

        async def watch() -> None:
            if await health.read() == health_pb2.HealthCheckResponse(status="NOT_SERVING"):
                seen.append("not healthy")
            refused = await failure_of(guest.create())
            seen.append(f"no new match: {refused.reason}, {_hint(refused.retry_seconds)}")
            ended = await failure_of(health.read())
            seen.append(f"health ends: {ended.reason}, {_hint(ended.retry_seconds)}")

        watching = asyncio.create_task(watch())
        yield seen
        await watching


def _hint(retry_seconds: float | None) -> str:
    return "come again" if retry_seconds else "no hint"
