"""The one interceptor: every call of every service passes through all concerns, in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import grpc
from grpc import aio

from durak_server.api.calls import (
    Behaviour,
    Context,
    Handler,
    Method,
    behaviour_of,
    method_of,
    with_behaviour,
    with_safe_deserializer,
)
from durak_server.observe.metrics import UNKNOWN

Concern: TypeAlias = Callable[[Method, Behaviour], Behaviour]
_UNKNOWN_METHOD: Final = Method(UNKNOWN, UNKNOWN, "unary")


class CallInterceptor(aio.ServerInterceptor):
    """Wraps each method's handler once and keeps it.

    Args:
        concerns: outermost first.
        max_bytes: the largest request taken.
    """

    def __init__(self, concerns: Sequence[Concern], max_bytes: int) -> None:
        self._concerns = tuple(concerns)
        self._max_bytes = max_bytes
        self._handlers: dict[str, Handler] = {}
        # Not cached by path: callers can invent any number of them.
        self._unknown: Handler = grpc.stream_unary_rpc_method_handler(
            self._wrapped(_UNKNOWN_METHOD, _refuse_unknown)
        )

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the wrapped handler of the method called."""
        path = handler_call_details.method
        found = self._handlers.get(path)
        if found:
            return found
        handler = await continuation(handler_call_details)
        if handler is None:
            return self._unknown
        method = method_of(path, handler)
        wrapped = with_behaviour(
            with_safe_deserializer(handler, self._max_bytes),
            self._wrapped(method, behaviour_of(handler)),
        )
        self._handlers[path] = wrapped
        return wrapped

    def _wrapped(self, method: Method, behaviour: Behaviour) -> Behaviour:
        for concern in reversed(self._concerns):
            behaviour = concern(method, behaviour)
        return behaviour


async def _refuse_unknown(
    _: Any,  # Any: bytes of no known message
    context: Context,
) -> None:
    await context.abort(grpc.StatusCode.UNIMPLEMENTED, "This server has no such method.")
