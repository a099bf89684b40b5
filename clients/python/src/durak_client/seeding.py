"""A player's own seeds for the deals after the first, for which making or joining gave one."""

from collections.abc import Iterable

from durak_client.errors import Refused
from durak_client.events import DealCommitted, DealStarted, Event
from durak_client.match import Match


async def answer_commitment(match: Match, events: Iterable[Event]) -> None:
    """Add a random seed to the next shuffle, if these events commit the server to a later one.

    A seed that is refused, or does not arrive, does no harm: the deal goes on without it.
    """
    committed = _open_commitment(events)
    if committed is not None and committed.shuffle > 1:
        try:
            await match.add_seed(committed.commitment)
        except Refused:
            return


def _open_commitment(events: Iterable[Event]) -> DealCommitted | None:
    """Return the last commitment, None if its deal has begun among the events as well."""
    committed: DealCommitted | None = None
    for event in events:
        if isinstance(event.fact, DealCommitted):
            committed = event.fact
        elif isinstance(event.fact, DealStarted):
            committed = None
    return committed
