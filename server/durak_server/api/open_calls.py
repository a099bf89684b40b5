"""Calls that wait for their caller: for his message, or for him to take the answer."""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from typing import Any

from durak_server.api.address_limit import HEALTH
from durak_server.api.addresses import Addresses
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.stream_count import StreamCount


class OpenCalls:
    """The concern that counts, by address, calls of one request while they are open.

    One that streams answers is counted until its message has come: then it takes the places of a
    stream. Questions after the health are counted by themselves, so that no crowd at an address
    makes it look bad.

    Args:
        addresses: tells where a call comes from.
        count: how many of an address may be open.
    """

    def __init__(self, addresses: Addresses, count: StreamCount) -> None:
        self._addresses = addresses
        self._count = count

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it is counted, if its method takes one request."""
        if method.takes_many:
            return behaviour
        kind = "health " if method.service == HEALTH else ""

        async def counted(
            requests: AsyncIterator[Any],  # Any: the method's request
            context: Context,
        ) -> Any:  # Any: the method's answer
            with ExitStack() as held:
                address = self._addresses.of(context)
                held.enter_context(self._count.one_of(kind + address, "The address"))
                if not method.is_unary:
                    return await behaviour(_Told(requests, held.close), context)
                # It is taken after this, or never.
                taken = held.pop_all()
                context.add_done_callback(lambda _: taken.close())  # type: ignore[arg-type]  # stub: no protocol
                return await behaviour(requests, context)

        return counted


class _Told:
    """Requests; `on_message` is called with each."""

    def __init__(
        self,
        requests: AsyncIterator[Any],  # Any: as above
        on_message: Callable[[], None],
    ) -> None:
        self._requests = requests
        self._on_message = on_message

    def __aiter__(self) -> "_Told":
        return self

    async def __anext__(self) -> Any:  # Any: as above
        message = await anext(self._requests)
        self._on_message()
        return message
