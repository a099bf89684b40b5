"""Calls that need no token: the standard health and reflection services, and made-up methods."""

from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from tests.live_server import Metadata

Watch = aio.UnaryStreamCall[health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse]
Reflection = aio.StreamStreamCall[
    reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
]


async def check_health(
    channel: aio.Channel, metadata: Metadata = (), service: str = ""
) -> health_pb2.HealthCheckResponse:
    """Ask once how the server, or one of its services, is."""
    check: aio.UnaryUnaryMultiCallable[
        health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
    ] = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    return await check(health_pb2.HealthCheckRequest(service=service), metadata=metadata)


def watch_health(channel: aio.Channel, service: str = "") -> Watch:
    """Follow how the server is, or one of its services."""
    watch: aio.UnaryStreamMultiCallable[
        health_pb2.HealthCheckRequest, health_pb2.HealthCheckResponse
    ] = channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    return watch(health_pb2.HealthCheckRequest(service=service))


def reflect(channel: aio.Channel) -> Reflection:
    """Open a stream for questions about the services."""
    ask: aio.StreamStreamMultiCallable[
        reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
    ] = channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    return ask()


LIST_SERVICES = reflection_pb2.ServerReflectionRequest(list_services="")


async def call_made_up(channel: aio.Channel, path: str = "/made.Up/Method") -> bytes:
    """Call a method that does not exist."""
    method: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    return await method(b"")
