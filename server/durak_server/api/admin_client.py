"""Calls of AdminService from the operator's command line, answers as JSON would have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from durak_server.pb.durak.v1 import admin_service_pb2

Json: TypeAlias = dict[str, Any]  # Any: as the contract has it
_SERVICE: Final = admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"]
_SECONDS: Final = 60.0


class AdminCallFailed(Exception):
    """The server refuses, or is not there; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class AdminTls:
    """How the server's certificate is checked, and what the caller shows.

    `authority`, in PEM, has signed it; without, somebody whom everybody trusts. It is for `name`;
    without, for the host that is called. `certificate` and its `key`, in PEM too, are the caller's,
    for a server that wants to see one.
    """

    authority: bytes | None = None
    name: str = ""
    certificate: bytes | None = None
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class AdminTarget:
    """Where the service is, and who calls; without TLS in the clear."""

    address: str
    token: str
    tls: AdminTls | None = None


async def admin_call(
    target: AdminTarget,
    method: str,
    fields: Mapping[str, Any],  # Any: each field has a type of its own
) -> Json:
    """Call a method; return its answer, every field of it.

    Raises:
        AdminCallFailed: there is none.
    """
    described = _SERVICE.methods_by_name[method]
    request = ParseDict(dict(fields), GetMessageClass(described.input_type)())
    async with _channel(target) as channel:
        call: aio.UnaryUnaryMultiCallable[Any, Any] = channel.unary_unary(  # Any: any request
            f"/{_SERVICE.full_name}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(described.output_type).FromString,
        )
        metadata = (("authorization", f"Bearer {target.token}"),)
        try:
            answer = await call(request, metadata=metadata, timeout=_SECONDS)
        except aio.AioRpcError as error:
            raise AdminCallFailed(f"{error.code().name}: {error.details()}") from None
    return MessageToDict(
        answer, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _channel(target: AdminTarget) -> aio.Channel:
    if target.tls is None:
        return aio.insecure_channel(target.address)
    name = target.tls.name
    options = [("grpc.ssl_target_name_override", name)] if name else []
    credentials = grpc.ssl_channel_credentials(
        target.tls.authority, target.tls.key, target.tls.certificate
    )
    return aio.secure_channel(target.address, credentials, options=options)
