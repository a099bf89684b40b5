"""Refuses requests that are too large, or no message of their method."""

from collections.abc import AsyncIterator
from typing import Any

from durak_server.api.calls import Behaviour, Context, Malformed, Method
from durak_server.api.failures import CallFailed, invalid_field
from durak_server.pb.durak.v1 import error_pb2 as pb


class WellFormed:
    """The concern that lets only messages through.

    Args:
        max_bytes: the largest request taken, for the text of the refusal.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    def __call__(self, _method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it never sees a `Malformed`."""

        async def taking(request: Any, context: Context) -> Any:  # Any: see Behaviour
            return await behaviour(self._taken(request), context)

        return taking

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
