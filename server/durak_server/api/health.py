"""The standard health service: whether this server, or one of its services, is well."""

import asyncio

from grpc import StatusCode
from grpc_health.v1 import health_pb2 as pb
from grpc_health.v1.health_pb2_grpc import HealthServicer

from durak_server.api.calls import Context


class Health(HealthServicer):
    """Answers, and lets watchers know.

    The library's own writes to each watcher while it holds a lock that telling needs: one who takes
    nothing keeps all others waiting there, and a drain as well.
    """

    def __init__(self) -> None:
        self._statuses: dict[str, int] = {}
        self._changed = asyncio.Event()

    def tell(self, service: str, status: int) -> None:
        """Say how a service is from now on, by `ServingStatus`; the empty name is the server's."""
        self._statuses[service] = status
        self._changed.set()
        self._changed = asyncio.Event()

    async def Check(  # noqa: N802  (named by the contract)
        self, request: pb.HealthCheckRequest, context: Context
    ) -> pb.HealthCheckResponse:
        """Say how a service is now."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(StatusCode.NOT_FOUND, "There is no such service.")
        return pb.HealthCheckResponse(status=status)

    async def Watch(  # noqa: N802  (named by the contract)
        self, request: pb.HealthCheckRequest, context: Context
    ) -> None:
        """Write how a service is, again and again: whenever that has changed."""
        told = None
        while True:
            changed = self._changed
            status = self._statuses.get(request.service, pb.HealthCheckResponse.SERVICE_UNKNOWN)
            if status != told:
                await context.write(pb.HealthCheckResponse(status=status))
            told = status
            await changed.wait()
