"""By which request a player took his seat: so a repeat finds the match that it was at."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from durak_server.matches import PlayerJoined, Record


@dataclass(frozen=True, slots=True)
class Seating:
    """A player sat down at a match, by a request of his own with this id."""

    player_id: str
    request_id: str
    match_id: str


def seatings(match_id: str, records: Iterable[Record]) -> Iterator[Seating]:
    """Yield who sat down in these records by a request that has an id."""
    for record in records:
        event = record.event
        is_his_own = isinstance(event, PlayerJoined) and event.player.player_id == record.player_id
        if is_his_own and record.request_id:
            yield Seating(record.player_id, record.request_id, match_id)
