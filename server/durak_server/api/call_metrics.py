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

    The time of a call begins with its message. No latency, and not measured, is the time of a
    stream's life, nor that of a call refused by a limit: its refusal may be held back.
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

        async def measured(
            requests: AsyncIterator[Any],  # Any: the method's request
            context: Context,
        ) -> Any:  # Any: the method's answer
            started.inc()
            arrivals = _Arrivals(requests, received)
            code = grpc.StatusCode.UNKNOWN
            try:
                if method.is_unary:
                    answer = await behaviour(arrivals, context)
                    sent.inc()
                else:
                    answer = await behaviour(arrivals, _counting(context, sent))
                code = code_of(context)
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED
                raise
            except BaseException:
                code = code_of(context)
                raise
            finally:
                handled[code].inc()
                if seconds and arrivals.first_at and not _is_limit(code):
                    seconds.observe(perf_counter() - arrivals.first_at)
            return answer

        return measured


def code_of(context: Context) -> grpc.StatusCode:
    """Return the status with which the call ends, as set so far."""
    code: object = context.code()
    return code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.OK


def _is_limit(code: grpc.StatusCode) -> bool:
    return code is grpc.StatusCode.RESOURCE_EXHAUSTED


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


class _Arrivals:
    """The requests of a call, counted as they come; `first_at` is when, by `perf_counter`."""

    def __init__(
        self,
        requests: AsyncIterator[Any],  # Any: the method's request
        received: Counter,
    ) -> None:
        self.first_at: float | None = None
        self._requests = requests
        self._received = received

    def __aiter__(self) -> "_Arrivals":
        return self

    async def __anext__(self) -> Any:  # Any: the method's request
        request = await anext(self._requests)
        self.first_at = self.first_at or perf_counter()
        self._received.inc()
        return request
