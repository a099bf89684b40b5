"""Streams of those who only watch: so many from one address, for a crowd costs nothing."""

from contextlib import AbstractContextManager, nullcontext
from typing import Final

from durak_server.api.addresses import Addresses
from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.stream_count import StreamCount
from durak_server.matches import Match

_WHOSE: Final = "The address"
_PURPOSE: Final = " to watch this"
_LOBBY: Final = ""
"""In the place of a match's id."""


class WatchingStreams:
    """Counts the streams by address at each match, and those in the lobby by themselves.

    Args:
        addresses: tells where a call comes from.
        count: how many of an address may watch the same.
    """

    def __init__(self, addresses: Addresses, count: StreamCount) -> None:
        self._addresses = addresses
        self._count = count

    def of_lobby(self, context: Context) -> AbstractContextManager[None]:
        """Count a stream to the lobby while it is open.

        Raises:
            CallFailed: as many from its address are.
        """
        return self._one_more(_LOBBY, context)

    def of_match(
        self, match: Match, caller: Caller, context: Context
    ) -> AbstractContextManager[None]:
        """Count a stream that follows a match while it does, unless its caller has a seat there.

        Raises:
            CallFailed: as many from its address do.
        """
        if match.active_seat_of(caller.player_id) is not None:
            return nullcontext()
        return self._one_more(match.match_id, context)

    def _one_more(self, what: str, context: Context) -> AbstractContextManager[None]:
        return self._count.one_of(f"{what} {self._addresses.of(context)}", _WHOSE, _PURPOSE)
