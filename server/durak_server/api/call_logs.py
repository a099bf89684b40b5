"""Writes one line a call: what, whose, how it ended and how long it took."""

import asyncio
import logging
import secrets
from time import perf_counter
from typing import Any, Final

import grpc
from structlog.contextvars import bind_contextvars, clear_contextvars

from durak_server.api.call_metrics import code_of
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.metadata import metadata_value
from durak_server.observe.logs import logger

_log = logger(__name__)
_enabled = logging.getLogger(__name__).isEnabledFor
_LEVELS: Final = {
    grpc.StatusCode.OK: logging.DEBUG,
    grpc.StatusCode.CANCELLED: logging.DEBUG,
    # A move that came too late is a part of the game.
    grpc.StatusCode.FAILED_PRECONDITION: logging.DEBUG,
    grpc.StatusCode.ABORTED: logging.DEBUG,
    grpc.StatusCode.INTERNAL: logging.ERROR,
    grpc.StatusCode.UNKNOWN: logging.ERROR,
    grpc.StatusCode.DATA_LOSS: logging.ERROR,
    grpc.StatusCode.UNAVAILABLE: logging.WARNING,
    grpc.StatusCode.RESOURCE_EXHAUSTED: logging.WARNING,
}
_LONGEST_ID: Final = 64


def call_logs(method: Method, behaviour: Behaviour) -> Behaviour:
    """Return the behaviour so that it logs, and so that all lines meanwhile tell the call."""
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
            milliseconds = round((perf_counter() - begun) * 1000, 3)
            level = _LEVELS.get(code, logging.INFO)
            # Asked first: most calls are not worth a line, and a line not written costs as much.
            if _enabled(level):
                _log.log(level, "call", code=code.name, duration_ms=milliseconds)
        return answer

    return logged


def _request_id(context: Context) -> str:
    given = metadata_value(context, "x-request-id")
    if given and len(given) <= _LONGEST_ID and given.isascii() and given.isprintable():
        return given
    return secrets.token_hex(8)
