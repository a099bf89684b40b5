"""What a kubelet hears from a server that its operator drains."""

import asyncio
import urllib.error
import urllib.request

import pytest
from grpc_health.v1 import health_pb2

from durak_server.app import DurakServer
from tests.api.operators import OPERATED, operating
from tests.api.tokenless import check_health, watch_health
from tests.live_server import Calls, connected, running_server
from tests.operations.tools import Manifest, manifest

SERVED = {**OPERATED, "metrics_listen": "127.0.0.1:0"}
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")


async def passes(probe: Manifest, server: DurakServer, calls: Calls) -> bool:
    """Ask a server as a probe does."""
    if "grpc" in probe:
        answer = await check_health(calls.channel, service=probe["grpc"].get("service", ""))
        return answer == health_pb2.HealthCheckResponse(status="SERVING")
    path = probe["httpGet"]["path"]
    return await asyncio.to_thread(_is_there, f"http://127.0.0.1:{server.metrics_port}{path}")


def _is_there(url: str) -> bool:
    try:
        urllib.request.urlopen(url).close()
    except urllib.error.HTTPError as error:
        error.close()
        return False
    return True


@pytest.mark.parametrize("overlay", ["development", "production"])
async def test_a_server_that_its_operator_drains_gets_nobody_new_and_is_not_restarted(
    overlay: str,
) -> None:
    (container,) = manifest(overlay, "StatefulSet")["spec"]["template"]["spec"]["containers"]
    async with (
        running_server(**SERVED) as server,
        connected(server) as calls,
        operating(server) as operator,
    ):
        before = {name: await passes(container[name], server, calls) for name in PROBES}
        watch = watch_health(calls.channel)
        assert await watch.read() == health_pb2.HealthCheckResponse(status="SERVING")

        await operator.drain()

        assert await watch.read() == health_pb2.HealthCheckResponse(status="NOT_SERVING")
        after = {name: await passes(container[name], server, calls) for name in PROBES}
        watch.cancel()
    assert before == dict.fromkeys(PROBES, True)
    assert (after["livenessProbe"], after["readinessProbe"]) == (True, False)
