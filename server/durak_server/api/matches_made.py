"""How fast matches may be made: each is kept for good, and guests who make some cost nothing."""

from contextlib import AbstractContextManager

from durak_server.api.addresses import Addresses
from durak_server.api.calls import Context
from durak_server.api.rate_limit import RateLimit, Reserved


class MatchesMade:
    """Counts the matches made from each address.

    Args:
        addresses: tells where a call comes from.
        limit: how fast an address may make them.
    """

    def __init__(self, addresses: Addresses, limit: RateLimit) -> None:
        self._addresses = addresses
        self._limit = limit

    def one_more(self, context: Context) -> AbstractContextManager[Reserved]:
        """Count a match that is made in the block; see `RateLimit.reserved`.

        Raises:
            RateLimited: matches come too fast from its address.
        """
        return self._limit.reserved(self._addresses.of(context))
