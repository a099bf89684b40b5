"""Every method of the contract, as its descriptors have it: a new call is attacked by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from durak_server.pb.durak.v1 import (
    admin_service_pb2,
    auth_service_pb2,
    lobby_service_pb2,
    play_service_pb2,
    replay_service_pb2,
)


@dataclass(frozen=True)
class WireMethod:
    """One call: where it is, and the messages that it takes and gives."""

    path: str
    request: type[Message]
    response: type[Message]
    streams_requests: bool
    streams_responses: bool

    @property
    def is_unary(self) -> bool:
        """Whether there is one request and one answer."""
        return not (self.streams_requests or self.streams_responses)

    def __repr__(self) -> str:
        return self.path


def methods_of(service: ServiceDescriptor) -> list[WireMethod]:
    """Return the methods of a service in the contract's order."""
    return [
        WireMethod(
            f"/{service.full_name}/{method.name}",
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
            method.client_streaming,
            method.server_streaming,
        )
        for method in service.methods
    ]


_PLAYERS_FILES = (auth_service_pb2, lobby_service_pb2, play_service_pb2, replay_service_pb2)
PLAYERS_METHODS: Sequence[WireMethod] = [
    method
    for file in _PLAYERS_FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in methods_of(service)
]
OPERATORS_METHODS: Sequence[WireMethod] = methods_of(
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"]
)
UNARY = [method for method in PLAYERS_METHODS if method.is_unary]
STREAMS = [
    method for method in PLAYERS_METHODS if method.streams_responses and not method.streams_requests
]
