"""Turns whatever a handler raises into a status. What it does not know stays in our log."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

from grpc import StatusCode, aio

from durak_server.api.calls import Behaviour, Context, Malformed, Method
from durak_server.api.failures import CallFailed, invalid_field
from durak_server.api.status import trailers
from durak_server.api.translated_errors import known_failure
from durak_server.observe.logs import logger
from durak_server.observe.metrics import PlayMetrics
from durak_server.pb.durak.v1 import error_pb2 as pb

_log = logger(__name__)


class CallErrors:
    """The concern that answers for failed calls.

    Args:
        max_bytes: the largest request taken, for the text of the refusal.
        metrics: where calls refused by a limit are counted.
    """

    def __init__(self, max_bytes: int, metrics: PlayMetrics) -> None:
        self._max_bytes = max_bytes
        self._metrics = metrics

    def __call__(self, _method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it fails with a status and nothing else."""

        async def answer(request: Any, context: Context) -> Any:  # Any: see Behaviour
            try:
                return await behaviour(self._taken(request), context)
            except (asyncio.CancelledError, aio.AbortError):
                raise
            except Exception as error:
                failure = known_failure(error) or _incident(error)
            if failure.code is StatusCode.RESOURCE_EXHAUSTED:
                self._metrics.limited.labels(failure.reason_name).inc()
            return await context.abort(failure.code, failure.text, trailers(failure))

        return answer

    def _taken(self, request: Any) -> Any:  # Any: see Behaviour
        if isinstance(request, AsyncIterator):
            return self._taken_one_by_one(request)
        if isinstance(request, Malformed):
            raise self._not_taken(request)
        return request

    async def _taken_one_by_one(
        self,
        requests: AsyncIterator[Any],  # Any: see Behaviour
    ) -> AsyncIterator[Any]:
        async for request in requests:
            yield self._taken(request)

    def _not_taken(self, request: Malformed) -> CallFailed:
        if request.is_too_large:
            return CallFailed(
                pb.ERROR_REASON_MESSAGE_TOO_LARGE,
                f"The message has {request.size} bytes; {self._max_bytes} are taken.",
                metadata={"size": str(request.size), "limit": str(self._max_bytes)},
            )
        return invalid_field("", "the bytes are not a message of this method")


def _incident(error: Exception) -> CallFailed:
    incident = secrets.token_hex(4)
    _log.error("internal error", incident=incident, exc_info=error)
    return CallFailed(
        pb.ERROR_REASON_INTERNAL,
        f"Internal error {incident}",
        metadata={"incident": incident},
    )
