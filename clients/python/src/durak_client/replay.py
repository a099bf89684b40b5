"""What happened in a match, and how it looked at any moment."""

from dataclasses import dataclass
from typing import Protocol

from durak_client.events import Event
from durak_client.matches import MatchInfo
from durak_client.view import View


@dataclass(frozen=True, slots=True)
class Replay:
    """All events of a match, as far as the caller may see them.

    With `open_cards`, once the match is over, the events tell every card: `DealStarted` has all
    hands and the order of the deck, `Drew` all cards.
    """

    info: MatchInfo
    events: tuple[Event, ...]
    open_cards: bool

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)


class PastViews(Protocol):
    """Shows a match at any moment: a server by `Match.view_at`, or a file."""

    async def view_at(
        self, sequence: int, seat: int | None = None, *, open_cards: bool = False
    ) -> View:
        """Return the match as it was after the event `sequence`, from a seat or with open cards."""
