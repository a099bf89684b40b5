"""Turns whatever a handler raises into a status. What it does not know stays in our log."""

import asyncio
import secrets
from typing import Any

from grpc import StatusCode, aio

from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.failures import CallFailed
from durak_server.api.held_refusals import HeldRefusals
from durak_server.api.hidden_matches import HiddenMatches
from durak_server.api.status import trailers
from durak_server.api.translated_errors import known_failure
from durak_server.observe.limit_metrics import LimitMetrics
from durak_server.observe.logs import logger
from durak_server.pb.durak.v1 import error_pb2 as pb

_log = logger(__name__)


class CallErrors:
    """The concern that answers for failed calls.

    Args:
        metrics: where calls refused by a limit are counted.
        held: holds refusals back.
        hidden: lets matches that hide fail as those that are not there.
    """

    def __init__(self, metrics: LimitMetrics, held: HeldRefusals, hidden: HiddenMatches) -> None:
        self._metrics = metrics
        self._held = held
        self._hidden = hidden

    def __call__(self, _method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it fails with a status and nothing else."""

        async def answer(request: Any, context: Context) -> Any:  # Any: see Behaviour
            try:
                return await behaviour(request, context)
            except (asyncio.CancelledError, aio.AbortError, aio.InternalError):
                raise
            except Exception as error:
                failure = failure_of(await self._hidden.disguised(error), self._metrics)
            await self._held.hold(failure)
            return await context.abort(failure.code, failure.text, trailers(failure))

        async def answer_unless_given_up(request: Any, context: Context) -> Any:  # Any: as above
            try:
                return await answer(request, context)
            except aio.InternalError:
                # The library's word for what it cannot write, as nobody is there to take it.
                raise asyncio.CancelledError from None

        return answer_unless_given_up


def failure_of(error: Exception, metrics: LimitMetrics) -> CallFailed:
    """Return how a call fails for this reason; count it if it is a limit, log it if it is ours."""
    failure = known_failure(error) or _incident(error)
    if failure.code is StatusCode.RESOURCE_EXHAUSTED:
        metrics.limited.labels(failure.reason_name).inc()
    if failure.reason == pb.ERROR_REASON_TOO_MANY_STREAMS:
        metrics.streams_refused.labels(failure.metadata["limit"]).inc()
    return failure


def _incident(error: Exception) -> CallFailed:
    incident = secrets.token_hex(4)
    _log.error("internal error", incident=incident, exc_info=error)
    return CallFailed(
        pb.ERROR_REASON_INTERNAL,
        f"Internal error {incident}",
        metadata={"incident": incident},
    )
