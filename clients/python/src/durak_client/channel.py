"""The connection to a server."""

import asyncio
from collections.abc import Callable

import grpc

from durak_client.patience import Patience
from durak_client.pb.durak.v1 import (
    auth_service_pb2_grpc,
    lobby_service_pb2_grpc,
    play_service_pb2_grpc,
    replay_service_pb2_grpc,
)

_KEEPALIVE_TIMEOUT_MS = 10_000
_LONGEST_REDIAL_MS = 1_000
"""gRPC's own wait before it dials again; it comes on top of that between two tries of ours."""


class Stubs:
    """The services of a server, on one channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.auth = auth_service_pb2_grpc.AuthServiceStub(channel)
        self.lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        self.playing = play_service_pb2_grpc.PlayServiceStub(channel)
        self.replaying = replay_service_pb2_grpc.ReplayServiceStub(channel)


class Connection:
    """A channel that can be given up for a new one, when it is silent and nobody says why.

    A half-open connection (a phone that slept, a cable pulled) looks alive to this side, and every
    further call on it would hang as well.
    """

    def __init__(
        self, target: str, credentials: grpc.ChannelCredentials | None, patience: Patience
    ) -> None:
        self._open: Callable[[], Stubs] = lambda: Stubs(_channel(target, credentials, patience))
        self._closing: set[asyncio.Task[None]] = set()
        self.stubs = self._open()
        self.is_closed = False

    def give_up(self, silent: Stubs) -> None:
        """Use a new channel from now on, if `silent` is still in use; end what runs on it."""
        if silent is not self.stubs or self.is_closed:
            return
        self.stubs = self._open()
        task = asyncio.create_task(silent.channel.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End what runs, for good."""
        self.is_closed = True
        await asyncio.gather(self.stubs.channel.close(), *self._closing)


def _channel(
    target: str, credentials: grpc.ChannelCredentials | None, patience: Patience
) -> grpc.aio.Channel:
    """Return a channel to `target`; without credentials it is in the clear. Connects when used."""
    options = _options(patience)
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, credentials, options=options)


def _options(patience: Patience) -> list[tuple[str, int | str]]:
    longest_ms = int(patience.longest_wait.total_seconds() * 1000)
    # No retry policy: `Calls` repeats. gRPC would wait as long as the server asks within one try,
    # whose time would end without a word of what the server said.
    return [
        ("grpc.keepalive_time_ms", int(patience.keepalive.total_seconds() * 1000)),
        ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
        # Without it gRPC waits a minute for the answer to a ping, whatever the line above says.
        ("grpc.http2.ping_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        # Left alone gRPC waits up to two minutes before it dials a restarted server again.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", min(max(longest_ms, 100), _LONGEST_REDIAL_MS)),
        # Clients of one process share neither a connection nor its back-off.
        ("grpc.use_local_subchannel_pool", 1),
    ]
