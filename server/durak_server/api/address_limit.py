"""Limits how often one address may call, whatever it calls, before anybody asks who calls."""

from collections.abc import AsyncIterator
from typing import Any, Final

from grpc_health.v1 import health_pb2

from durak_server.api.addresses import Addresses
from durak_server.api.calls import Behaviour, Context, Method
from durak_server.api.rate_limit import RateLimit
from durak_server.pb.durak.v1.play_service_pb2 import PlayRequest

HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
"""The full name of the service that a balancer asks."""


class AddressLimit:
    """The concern that counts calls, and what comes on streams of requests, by address.

    There each message is a call; those of `Play` are left to their stream, which answers a command
    that is one too many, and goes on. Questions after the health are not counted: a balancer asks
    from the address from which a crowd may come.
    """

    def __init__(self, addresses: Addresses, limit: RateLimit) -> None:
        self._addresses = addresses
        self._limit = limit

    def __call__(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """Return the behaviour so that it runs while its caller's address is within the limit."""
        if method.service == HEALTH:
            return behaviour

        async def limited(
            requests: AsyncIterator[Any],  # Any: the method's request
            context: Context,
        ) -> Any:  # Any: the method's answer
            address = self._addresses.of(context)
            self._limit.admit(address)
            if method.takes_many:
                requests = self._each(requests, address)
            return await behaviour(requests, context)

        return limited

    def count(self, context: Context) -> None:
        """Count a command, or a message without any, on the `Play` stream of that context.

        Raises:
            RateLimited: its address has to wait.
        """
        self._limit.admit(self._addresses.of(context))

    def charge(self, context: Context, calls: int) -> None:
        """Let what was done in that context count as so many calls more of its address."""
        self._limit.charge(self._addresses.of(context), calls)

    async def _each(
        self,
        requests: AsyncIterator[Any],  # Any: see Behaviour
        address: str,
    ) -> AsyncIterator[Any]:
        async for request in requests:
            if not isinstance(request, PlayRequest):
                self._limit.admit(address)
            yield request
