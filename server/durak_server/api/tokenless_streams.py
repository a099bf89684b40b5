"""Streams of the standard services (health, reflection), which nobody needs a token for."""

import asyncio
from typing import Any, Final

from durak_server.api.addresses import Addresses
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.follow import open_stream
from durak_server.api.stream_count import StreamCount
from durak_server.api.until_over import hold_until_over
from durak_server.runtime import ShuttingDown

_STANDARD: Final = "grpc."


class TokenlessStreams:
    """The concern that limits such streams by address, and can end them all.

    Left alone they would last as long as their caller likes, and a drain would wait for them.
    """

    def __init__(self, addresses: Addresses, count: StreamCount) -> None:
        self._addresses = addresses
        self._count = count
        self._open: set[asyncio.Timeout] = set()
        self._is_ended = False

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour of a standard stream so that `end` ends it; others as they are."""
        if method.is_unary or not method.service.startswith(_STANDARD):
            return behaviour

        async def held(request: Any, context: Context) -> Any:  # Any: see Behaviour
            if self._is_ended:
                raise ShuttingDown
            hold_until_over(self._count.one_of(self._addresses.of(context), "The address"))
            await open_stream(context)
            return await self._until_ended(behaviour, request, context)

        return held

    def end(self) -> None:
        """End all that are open, with a hint to come again, and begin no more."""
        self._is_ended = True
        for stream in self._open:
            stream.reschedule(asyncio.get_running_loop().time())

    async def _until_ended(
        self,
        behaviour: Behaviour,
        request: Any,  # Any: see Behaviour
        context: Context,
    ) -> Any:
        stream = asyncio.timeout(None)
        try:
            async with stream:
                self._open.add(stream)
                if self._is_ended:  # meanwhile
                    raise ShuttingDown
                return await behaviour(request, context)
        except TimeoutError:
            raise ShuttingDown from None
        finally:
            self._open.discard(stream)
