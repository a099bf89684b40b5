"""The gRPC server: its options, its address, its services."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from durak_server.api.admin_service import AdminService
from durak_server.api.auth_service import AuthService
from durak_server.api.certificates import Certificates
from durak_server.api.health import Health
from durak_server.api.interceptor import CallInterceptor
from durak_server.api.lobby_service import LobbyService
from durak_server.api.play_service import PlayService
from durak_server.api.replay_service import ReplayService
from durak_server.pb.durak.v1 import (
    admin_service_pb2,
    admin_service_pb2_grpc,
    auth_service_pb2,
    auth_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
    replay_service_pb2,
    replay_service_pb2_grpc,
)

SERVICES: Final = (
    auth_service_pb2.DESCRIPTOR.services_by_name["AuthService"].full_name,
    lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"].full_name,
    play_service_pb2.DESCRIPTOR.services_by_name["PlayService"].full_name,
    replay_service_pb2.DESCRIPTOR.services_by_name["ReplayService"].full_name,
)
OPERATOR_SERVICES: Final = (
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"].full_name,
)
LIVENESS: Final = "liveness"
"""What the health service calls the process itself: it serves until it ends, also in a drain."""
_LEAST_PING_INTERVAL_MS: Final = 10_000
_MOST_STREAMS_PER_CONNECTION: Final = 10_000
_UNREAD_BYTES: Final = 16_384
"""What a caller may send ahead on a call, beside the message that is being read."""
_READ_AT_ALL: Final = 2
"""So many times the largest request are read, so that one that is too large is told why."""


class CannotListen(Exception):
    """The address is taken, or not this machine's."""


@dataclass(frozen=True, slots=True)
class Services:
    """What players call."""

    auth: AuthService
    lobby: LobbyService
    play: PlayService
    replay: ReplayService

    @property
    def names(self) -> Sequence[str]:
        """Their full names."""
        return SERVICES

    def add_to(self, server: aio.Server) -> None:
        """Let a server serve them."""
        auth_service_pb2_grpc.add_AuthServiceServicer_to_server(self.auth, server)
        lobby_service_pb2_grpc.add_LobbyServiceServicer_to_server(self.lobby, server)
        play_service_pb2_grpc.add_PlayServiceServicer_to_server(self.play, server)
        replay_service_pb2_grpc.add_ReplayServiceServicer_to_server(self.replay, server)


@dataclass(frozen=True, slots=True)
class OperatorServices:
    """What only the operator may call, on an address of its own."""

    admin: AdminService

    @property
    def names(self) -> Sequence[str]:
        """Their full names."""
        return OPERATOR_SERVICES

    def add_to(self, server: aio.Server) -> None:
        """Let a server serve them."""
        admin_service_pb2_grpc.add_AdminServiceServicer_to_server(self.admin, server)


class ApiServer:
    """A gRPC server with some services of ours, health and reflection.

    A connection is pinged every `ping_seconds` and is over if no answer comes for as long.
    `max_bytes` is the largest request taken.
    """

    def __init__(
        self,
        services: Services | OperatorServices,
        interceptor: CallInterceptor,
        ping_seconds: float,
        max_bytes: int,
    ) -> None:
        options = _options(ping_seconds, max_bytes)
        self._server = aio.server(interceptors=[interceptor], options=options)
        self._health = Health()
        self._names = services.names
        services.add_to(self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )

    def listen(self, address: str, certificates: Certificates | None) -> int:
        """Bind HOST:PORT and return the port.

        Raises:
            CannotListen: see there.
        """
        _refuse_taken(address)
        try:
            if certificates is None:
                return self._server.add_insecure_port(address)
            return self._server.add_secure_port(address, certificates.credentials())
        except RuntimeError as error:
            raise CannotListen(f"cannot listen on {address}: {error}") from None

    async def start(self) -> None:
        """Serve, and say so."""
        # Before the first call, which may be the operator's and say otherwise.
        for name in (LIVENESS, "", *self._names):
            self._health.tell(name, health_pb2.HealthCheckResponse.SERVING)
        await self._server.start()

    def tell_not_serving(self) -> None:
        """Let health checks fail from now on, but for `LIVENESS`, while calls are served on."""
        for name in ("", *self._names):
            self._health.tell(name, health_pb2.HealthCheckResponse.NOT_SERVING)

    async def stop(self, grace_seconds: float) -> None:
        """Refuse new calls, and end those in flight once the time is over."""
        await self._server.stop(grace_seconds)


def _options(ping_seconds: float, max_bytes: int) -> Sequence[tuple[str, int]]:
    ping_ms = round(ping_seconds * 1000)
    return (
        # Whoever has gone without a word holds his streams until a ping goes unanswered.
        ("grpc.keepalive_time_ms", ping_ms),
        ("grpc.keepalive_timeout_ms", ping_ms),
        ("grpc.http2.ping_timeout_ms", ping_ms),
        # A second server on the same port shall fail, not get half of the calls.
        ("grpc.so_reuseport", 0),
        # What a connection that is over the limit does is to hang: streams are limited in code.
        ("grpc.max_concurrent_streams", _MOST_STREAMS_PER_CONNECTION),
        ("grpc.max_receive_message_length", _READ_AT_ALL * max_bytes),
        # What is sent and not read is kept for as long as the call lasts. The window would grow
        # with the caller's speed.
        ("grpc.http2.lookahead_bytes", _UNREAD_BYTES),
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", _LEAST_PING_INTERVAL_MS),
        ("grpc.keepalive_permit_without_calls", 1),
    )


def _refuse_taken(address: str) -> None:
    """Try the address by hand: the library's own error does not say what is wrong."""
    host, _, port = address.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        for family, kind, protocol, _, target in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(target)
    except OSError as error:
        raise CannotListen(f"cannot listen on {address}: {error.strerror or error}") from None
