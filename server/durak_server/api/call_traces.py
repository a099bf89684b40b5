"""Makes a span of every call."""

import asyncio
from typing import Any, Final

import grpc

from durak_server.api.call_metrics import code_of
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.observe.spans import Spans

_OUR_FAULT: Final = frozenset(
    {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    }
)


class CallTraces:
    """The concern that traces calls. It stands before the others, and only if spans are wanted."""

    def __init__(self, spans: Spans) -> None:
        self._spans = spans

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it is traced."""

        async def traced(request: Any, context: Context) -> Any:  # Any: see Behaviour
            metadata = context.invocation_metadata() or ()
            with self._spans.call(method.service, method.name, metadata) as span:
                code = grpc.StatusCode.UNKNOWN
                try:
                    answer = await behaviour(request, context)
                    code = code_of(context)
                except asyncio.CancelledError:
                    code = grpc.StatusCode.CANCELLED
                    raise
                except BaseException:
                    code = code_of(context)
                    raise
                finally:
                    number: int = code.value[0]
                    span.end_with(code.name, number, is_our_fault=code in _OUR_FAULT)
                return answer

        return traced
