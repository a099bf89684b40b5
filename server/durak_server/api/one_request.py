"""Waits for the one message of a call that has no more, for so long and no longer."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.failures import invalid_field
from durak_server.api.longest_wait import LongestWait

_CANCELLED_WITHIN_SECONDS: Final = 0.05


class OneRequest:
    """The concern that gives such calls their message.

    A call begins with its headers; what stands before this concern has seen it by then. Whoever
    sends no message would hold the call for as long as he likes otherwise.

    Args:
        longest_seconds: for which a message is waited.
    """

    def __init__(self, longest_seconds: float) -> None:
        self._longest = LongestWait(longest_seconds)

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it is given the message, if it takes one alone."""
        if method.takes_many:
            return behaviour

        async def given(
            requests: AsyncIterator[Any],  # Any: the method's request
            context: Context,
        ) -> Any:  # Any: the method's answer
            return await behaviour(await self._first(requests), context)

        return given

    async def _first(self, requests: AsyncIterator[Any]) -> Any:  # Any: as above
        try:
            async with self._longest.bounded():
                return await anext(requests)
        except StopAsyncIteration:
            # A call that was given up ends so as well, and is cancelled a moment later.
            await asyncio.sleep(_CANCELLED_WITHIN_SECONDS)
            raise invalid_field("", "there must be a message") from None
        except TimeoutError:
            raise invalid_field(
                "", f"the message must come within {self._longest.seconds:g} seconds"
            ) from None
