"""Writes one line a call: what, whose, how it ended and how long it took.

Refusals beyond so many a second are left out and counted: nobody fills a disk with them.
"""

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
from durak_server.observe.sampling import LineSampler

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


class CallLogs:
    """The concern that logs calls, and lets all lines meanwhile tell the call.

    Args:
        sampler: chooses among the lines that callers can cause as often as they like.
    """

    def __init__(self, sampler: LineSampler) -> None:
        self._sampler = sampler

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
                self._write(code, perf_counter() - begun)
            return answer

        return logged

    def _write(self, code: grpc.StatusCode, seconds: float) -> None:
        level = _LEVELS.get(code, logging.INFO)
        # Asked first: most calls are not worth a line, and a line not written costs as much.
        if not _enabled(level):
            return
        facts: dict[str, object] = {"code": code.name, "duration_ms": round(seconds * 1000, 3)}
        if logging.DEBUG < level < logging.ERROR:
            left_out = self._sampler.admit(code.name)
            if left_out is None:
                return
            if left_out:
                facts["left_out"] = left_out
        _log.log(level, "call", **facts)


def _request_id(context: Context) -> str:
    given = metadata_value(context, "x-request-id")
    if given and len(given) <= _LONGEST_ID and given.isascii() and given.isprintable():
        return given
    return secrets.token_hex(8)
