"""A handler as every interceptor sees it, whatever the kind of call.

Unary and streaming handlers alike become coroutines that are begun as soon as a call comes, before
any message: requests are read from an iterator, and a stream's answers are written through the
context. So each concern (errors, metrics, logs) is one small wrapper, made once a method.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from inspect import isasyncgenfunction
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

Context: TypeAlias = "aio.ServicerContext[Any, Any]"  # Any: every method has messages of its own
Behaviour: TypeAlias = Callable[[Any, Context], Awaitable[Any]]  # Any: as above
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # Any: as above

_KINDS: Final = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


@dataclass(frozen=True, slots=True)
class Method:
    """What is called."""

    service: str
    name: str
    kind: str
    """One of unary, client_stream, server_stream, bidi_stream."""

    @property
    def is_unary(self) -> bool:
        """Whether there is one request and one answer."""
        return self.kind == "unary"

    @property
    def takes_many(self) -> bool:
        """Whether there may be more than one request."""
        return self.kind in ("client_stream", "bidi_stream")


class Requests:
    """The messages of a call, each read when it is asked for.

    The library's own iterator is a generator; one that is not read to its end costs a task.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def __aiter__(self) -> "Requests":
        return self

    async def __anext__(self) -> Any:  # Any: the method's request
        message = await self._context.read()
        if message is aio.EOF:
            raise StopAsyncIteration
        return message


@dataclass(frozen=True, slots=True)
class Malformed:
    """Stands for a request that could not be taken; `size` is its length in bytes."""

    size: int
    is_too_large: bool


def method_of(path: str, handler: Handler) -> Method:
    """Return the method called by a path such as /durak.v1.PlayService/MakeMove."""
    service, _, name = path.lstrip("/").partition("/")
    kinds = {
        (False, False): "unary",
        (True, False): "client_stream",
        (False, True): "server_stream",
        (True, True): "bidi_stream",
    }
    key = (bool(handler.request_streaming), bool(handler.response_streaming))
    return Method(service, name, kinds[key])


def behaviour_of(handler: Handler) -> Behaviour:
    """Return the handler's behaviour as a coroutine function."""
    behaviour = next(found for kind in _KINDS if (found := getattr(handler, kind)))
    return _writing(behaviour) if isasyncgenfunction(behaviour) else behaviour


def with_behaviour(handler: Handler, behaviour: Behaviour) -> Handler:
    """Return the handler with another behaviour, which is given an iterator of requests.

    On the wire a call with one request is one with a stream of them.
    """

    async def begun(_: AsyncIterator[Any], context: Context) -> Any:  # Any: see Behaviour
        return await behaviour(Requests(context), context)

    answers = "stream" if handler.response_streaming else "unary"
    make = getattr(grpc, f"stream_{answers}_rpc_method_handler")
    made: Handler = make(begun, handler.request_deserializer, handler.response_serializer)
    return made


def with_safe_deserializer(handler: Handler, max_bytes: int) -> Handler:
    """Return the handler so that bytes that it cannot take arrive as `Malformed`.

    The library would tell the caller the text of whatever exception they cause.
    """
    parse = handler.request_deserializer

    def deserialize(data: bytes) -> Any:  # Any: the method's request
        if len(data) > max_bytes:
            return Malformed(len(data), is_too_large=True)
        try:
            return parse(data) if parse else data
        except DecodeError:
            return Malformed(len(data), is_too_large=False)

    kind = next(kind for kind in _KINDS if getattr(handler, kind))
    make = getattr(grpc, f"{kind}_rpc_method_handler")
    made: Handler = make(getattr(handler, kind), deserialize, handler.response_serializer)
    return made


def _writing(
    generator: Callable[[Any, Context], AsyncIterator[Any]],  # Any: see Behaviour
) -> Behaviour:
    async def write(request: Any, context: Context) -> None:  # Any: see Behaviour
        async for answer in generator(request, context):
            await context.write(answer)

    return write
