"""The connection to a server."""

import json

import grpc

from durak_client.patience import Patience

_KEEPALIVE_TIMEOUT_MS = 10_000

# gRPC repeats a call by itself only while no answer has begun, and waits as long as the server's
# pushback asks; what is left over is repeated by `Calls`, with the same request id.
_SERVICE_CONFIG = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 3,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}


def open_channel(
    target: str, credentials: grpc.ChannelCredentials | None, patience: Patience
) -> grpc.aio.Channel:
    """Return a channel to `target`; without credentials it is in the clear. Connects when used."""
    options = _options(patience)
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, credentials, options=options)


def _options(patience: Patience) -> list[tuple[str, int | str]]:
    longest_ms = int(patience.longest_wait.total_seconds() * 1000)
    return [
        ("grpc.keepalive_time_ms", int(patience.keepalive.total_seconds() * 1000)),
        ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.enable_retries", 1),
        ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
        # Left alone gRPC waits up to two minutes before it dials a restarted server again.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", max(longest_ms, 100)),
        # Clients of one process share neither a connection nor its back-off.
        ("grpc.use_local_subchannel_pool", 1),
    ]
