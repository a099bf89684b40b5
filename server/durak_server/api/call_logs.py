"""Writes one line a call: what, whose, how it ended and how long it took."""

import asyncio
import secrets
from time import perf_counter
from typing import Any, Final

import grpc
from structlog.contextvars import bind_contextvars, clear_contextvars

from durak_server.api.call_lines import CallLines
from durak_server.api.call_metrics import code_of
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.metadata import metadata_value

_LONGEST_ID: Final = 64


class CallLogs:
    """The concern that logs calls, and lets all lines meanwhile tell the call.

    Args:
        lines: writes those that are worth it.
    """

    def __init__(self, lines: CallLines) -> None:
        self._lines = lines

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it logs."""
        path = f"{method.service}/{method.name}"

        async def logged(request: Any, context: Context) -> Any:  # Any: see Behaviour
            clear_contextvars()
            bind_contextvars(request_id=_request_id(context), method=path)
            begun = perf_counter()
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
                self._lines.write("call", code, perf_counter() - begun)
            return answer

        return logged


def _request_id(context: Context) -> str:
    given = metadata_value(context, "x-request-id")
    if given and len(given) <= _LONGEST_ID and given.isascii() and given.isprintable():
        return given
    return secrets.token_hex(8)
