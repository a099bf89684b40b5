"""Where one stands in a replay, and where a key leads."""

from dataclasses import dataclass, replace
from enum import Enum

from durak_client.events import BoutStarted, DealStarted
from durak_client.replay import Replay


class Key(Enum):
    """What a person can press, besides the seats `1` to `6`; several keys may mean one."""

    FORWARD = "forward"
    BACK = "back"
    NEXT_BOUT = "next bout"
    LAST_BOUT = "last bout"
    FIRST = "first"
    LAST = "last"
    OPEN = "open"
    QUIT = "quit"


KEYS = {
    "n": Key.FORWARD,
    " ": Key.FORWARD,
    "\r": Key.FORWARD,
    "\n": Key.FORWARD,
    "\x1b[C": Key.FORWARD,
    "\x1bOC": Key.FORWARD,
    "p": Key.BACK,
    "\x1b[D": Key.BACK,
    "\x1bOD": Key.BACK,
    "b": Key.NEXT_BOUT,
    "\x1b[B": Key.NEXT_BOUT,
    "\x1bOB": Key.NEXT_BOUT,
    "B": Key.LAST_BOUT,
    "\x1b[A": Key.LAST_BOUT,
    "\x1bOA": Key.LAST_BOUT,
    "g": Key.FIRST,
    "G": Key.LAST,
    "o": Key.OPEN,
    "q": Key.QUIT,
    "\x04": Key.QUIT,
}


@dataclass(frozen=True, slots=True)
class Place:
    """After the event `sequence`, seen from `seat` (None: as a spectator) or with open cards."""

    sequence: int
    seat: int | None
    open_cards: bool

    def after(self, key: Key, replay: Replay) -> "Place":
        """Return where the key leads; at either end, and where cards are hidden, it stays."""
        match key:
            case Key.FORWARD:
                return self._at(min(self.sequence + 1, replay.last))
            case Key.BACK:
                return self._at(max(self.sequence - 1, 1))
            case Key.NEXT_BOUT:
                ahead = [number for number in bouts(replay) if number > self.sequence]
                return self._at(ahead[0] if ahead else replay.last)
            case Key.LAST_BOUT:
                behind = [number for number in bouts(replay) if number < self.sequence]
                return self._at(behind[-1] if behind else start(replay))
            case Key.FIRST:
                return self._at(start(replay))
            case Key.LAST:
                return self._at(replay.last)
            case Key.OPEN:
                is_open = replay.open_cards and not self.open_cards
                return replace(self, open_cards=is_open)
            case Key.QUIT:
                return self

    def from_seat(self, seat: int, replay: Replay) -> "Place":
        """Return the same moment from a seat, if it may be looked at from there."""
        if not replay.open_cards or seat >= len(replay.info.seats):
            return self
        return replace(self, seat=seat, open_cards=False)

    def _at(self, sequence: int) -> "Place":
        return replace(self, sequence=sequence)


def start(replay: Replay) -> int:
    """Return the first event worth a look: the first deal, or the last event without one."""
    deals = (event.sequence for event in replay.events if isinstance(event.fact, DealStarted))
    return next(deals, replay.last)


def bouts(replay: Replay) -> list[int]:
    """Return the events with which bouts began."""
    return [event.sequence for event in replay.events if isinstance(event.fact, BoutStarted)]
