"""Counts and times every call."""

import asyncio
from collections.abc import AsyncIterator
from time import perf_counter
from typing import Any, cast

import grpc
from prometheus_client import Counter

from durak_server.api.calls import Behaviour, Context, Method
from durak_server.observe.metrics import RpcMetrics


class CallMetrics:
    """The concern that measures calls.

    No latency, and not measured, is the time of a stream's life, nor that of a call refused by a
    limit: its refusal may be held back.
    """

    def __init__(self, metrics: RpcMetrics) -> None:
        self._metrics = metrics

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour, measured; its metrics are bound here, once."""
        labels = (method.kind, method.service, method.name)
        started = self._metrics.started.labels(*labels)
        received = self._metrics.messages_received.labels(*labels)
        sent = self._metrics.messages_sent.labels(*labels)
        seconds = self._metrics.handling_seconds.labels(*labels) if method.is_unary else None
        handled = {
            code: self._metrics.handled.labels(*labels, code.name) for code in grpc.StatusCode
        }

        async def measured(request: Any, context: Context) -> Any:  # Any: see Behaviour
            started.inc()
            begun = perf_counter()
            code = grpc.StatusCode.UNKNOWN
            try:
                if method.is_unary:
                    received.inc()
                    answer = await behaviour(request, context)
                    sent.inc()
                else:
                    answer = await behaviour(
                        _counted_requests(request, received), _counting(context, sent)
                    )
                code = code_of(context)
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED
                raise
            except BaseException:
                code = code_of(context)
                raise
            finally:
                handled[code].inc()
                if seconds and code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    seconds.observe(perf_counter() - begun)
            return answer

        return measured


def code_of(context: Context) -> grpc.StatusCode:
    """Return the status with which the call ends, as set so far."""
    code: object = context.code()
    return code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.OK


class _CountingContext:
    """The context of a stream; counts what is written."""

    def __init__(self, context: Context, sent: Counter) -> None:
        self._context = context
        self._sent = sent

    async def write(self, message: Any) -> None:  # Any: the method's answer
        await self._context.write(message)
        self._sent.inc()

    def __getattr__(self, name: str) -> Any:  # Any: whatever the context has
        return getattr(self._context, name)


def _counting(context: Context, sent: Counter) -> Context:
    return cast("Context", _CountingContext(context, sent))  # it passes on all it does not count


def _counted_requests(request: Any, received: Counter) -> Any:  # Any: see Behaviour
    if not isinstance(request, AsyncIterator):
        received.inc()
        return request

    async def counted() -> AsyncIterator[Any]:  # Any: the method's request
        async for message in request:
            received.inc()
            yield message

    return counted()
