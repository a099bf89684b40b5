"""The standard health service, also for those who ask and take no answer."""

from grpc_health.v1 import health_pb2

from tests.api.raw_http2 import raw_connection
from tests.api.tokenless import watch_health
from tests.live_server import connected, failure_of, running_server

SERVING, NOT_SERVING, SERVICE_UNKNOWN = (
    health_pb2.HealthCheckResponse(status=status)
    for status in ("SERVING", "NOT_SERVING", "SERVICE_UNKNOWN")
)
WATCH = b"/grpc.health.v1.Health/Watch"


async def test_a_watcher_who_takes_nothing_holds_up_no_other_and_no_drain() -> None:
    async with (
        running_server(drain_grace_seconds=0.1) as server,
        connected(server) as calls,
        raw_connection(server, window=0) as raw,
    ):
        await raw.headers(await raw.call(WATCH, b""))
        watch = watch_health(calls.channel)
        assert await watch.read() == SERVING

        await server.drain()

        assert await watch.read() == NOT_SERVING


async def test_a_drain_is_told_of_the_services_and_not_of_the_process() -> None:
    async with running_server(drain_grace_seconds=0.1) as server, connected(server) as calls:
        names = ("", "durak.v1.PlayService", "liveness", "no.Such")
        watches = [watch_health(calls.channel, name) for name in names]
        first = [await watch.read() for watch in watches]
        assert first == [SERVING, SERVING, SERVING, SERVICE_UNKNOWN]

        await server.drain()

        assert [await watch.read() for watch in watches[:2]] == [NOT_SERVING, NOT_SERVING]
        for watch in watches[2:]:
            assert (await failure_of(watch.read())).reason == "SHUTTING_DOWN"
