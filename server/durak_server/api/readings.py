"""What it costs to read many events or matches at once: more than one call."""

from typing import Final

from durak_server.api.address_limit import AddressLimit
from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.gate import Gate
from durak_server.store import Page

EVENTS_OF_A_CALL: Final = 200
"""So many events take the server about as long as two calls; most matches have fewer."""
_EVENTS_OF_A_LISTED_MATCH: Final = 10
"""A match in a list is as much work as so many events; one that is passed over, as one."""


class Readings:
    """Counts long readings as more than one call, of the player and of his address.

    They are counted afterwards, when it is known how long they were: none is refused for its own
    length, but whoever reads much waits longer until his next call.
    """

    def __init__(self, gate: Gate, addresses: AddressLimit) -> None:
        self._gate = gate
        self._addresses = addresses

    def count(self, caller: Caller, context: Context, events: int) -> None:
        """Count what a caller was given at once: so many events, of which a few are free."""
        calls = events // EVENTS_OF_A_CALL
        if calls:
            self._gate.charge(caller, calls)
            self._addresses.charge(context, calls)

    def count_page(self, caller: Caller, context: Context, page: Page) -> None:
        """Count a page of matches, and what was looked at for it."""
        listed = len(page.matches) * _EVENTS_OF_A_LISTED_MATCH
        self.count(caller, context, listed + page.passed_over)
