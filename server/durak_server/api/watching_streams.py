"""Streams of those who only watch: so many from one address, for a crowd costs nothing."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
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

    @contextmanager
    def of_match(self, match: Match, caller: Caller, context: Context) -> Iterator["WatchingPlace"]:
        """Count a stream that follows a match while it does, unless its caller has a seat there.

        Raises:
            CallFailed: as many from its address do.
        """
        with ExitStack() as held:
            place = WatchingPlace(
                caller.player_id, held, lambda: self._one_more(match.match_id, context)
            )
            place.attend(match)
            yield place

    def _one_more(self, what: str, context: Context) -> AbstractContextManager[None]:
        return self._count.one_of(f"{what} {self._addresses.of(context)}", _WHOSE, _PURPOSE)


class WatchingPlace:
    """The place that a stream takes of those who watch; none while its caller has a seat.

    Args:
        player_id: whose stream it is.
        held: holds the place while it is taken.
        take: counts one more.
    """

    def __init__(
        self, player_id: str, held: ExitStack, take: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._player_id = player_id
        self._held = held
        self._take = take
        self._is_taken = False

    def attend(self, match: Match) -> None:
        """Take a place once the caller has no seat, and give it back once he has one.

        Raises:
            CallFailed: he has lost his seat, and his address has as many places as it may.
        """
        watches = match.active_seat_of(self._player_id) is None
        if watches and not self._is_taken:
            self._held.enter_context(self._take())
        elif self._is_taken and not watches:
            self._held.close()
        self._is_taken = watches
