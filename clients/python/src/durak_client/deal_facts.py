"""What happens in a deal: its cards, its bouts, its clocks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_client.cards import Card, Suit
from durak_client.open_enum import OpenEnum
from durak_client.view import DealResult


@dataclass(frozen=True, slots=True)
class DealCommitted:
    """The server bound itself to a seed for a shuffle; shuffles count from 1, one a deck dealt."""

    shuffle: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeedAdded:
    """A player added a seed of his own to a shuffle to come."""

    shuffle: int
    seat: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A deal is over and the server's seed for its shuffle is shown."""

    shuffle: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards were shuffled and dealt; `hand` is the viewer's own.

    In a replay with open cards `dealt_hands` are those of `seats`, in their order, and `order`
    is the whole deck, first card dealt first; both are empty otherwise.
    """

    deal: int
    dealer: int
    leader: int
    trump: Suit
    trump_card: Card | None
    stock_size: int
    hand: tuple[Card, ...]
    seats: tuple[int, ...]
    dealt_hands: tuple[tuple[Card, ...], ...] = ()
    order: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class BoutStarted:
    """A bout begins; it may have `limit` attack cards."""

    leader: int
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class Led:
    """The leader led."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """An attacker threw in."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Beaten:
    """The defender covered `target` with `cover`."""

    seat: int
    target: Card
    cover: Card


@dataclass(frozen=True, slots=True)
class Transferred:
    """The former defender, `seat`, transferred the attack to `defender`."""

    seat: int
    cards: tuple[Card, ...]
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The former defender transferred the attack by showing a trump, which he keeps."""

    seat: int
    card: Card
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class TakeDeclared:
    """The defender gives up and will take the cards."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """An attacker throws in no more."""

    seat: int


@dataclass(frozen=True, slots=True)
class Retracted:
    """A thrower took a card back."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Dumped:
    """An attacker laid cards aside for the discard; he has them back if the bout goes on."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RedealClaimed:
    """A player showed his hand and demanded a new deal."""

    seat: int
    hand: tuple[Card, ...]


class BoutOutcome(OpenEnum):
    """How a bout ended."""

    UNSPECIFIED = 0
    BEATEN = 1
    TAKEN = 2
    VOID = 3


@dataclass(frozen=True, slots=True)
class ReturnedCards:
    """Cards that went back to the hand they came from."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BoutEnded:
    """The bout is over and the table is cleared."""

    outcome: BoutOutcome
    returned: tuple[ReturnedCards, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """A player drew `count` cards; `cards` are those the viewer may know."""

    seat: int
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player has no cards left and is out."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player left in mid-deal and his cards went out of play."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is over."""

    result: DealResult


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The running clock of a seat that must act; the deadline counts the reserve in."""

    seat: int
    deadline: datetime
    bank_left: timedelta


@dataclass(frozen=True, slots=True)
class ClocksSet:
    """Whose time runs from now on; all other clocks have stopped."""

    clocks: tuple[SeatClock, ...]


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """A player did not act in time; what follows comes behind."""

    seat: int


class CreditReason(OpenEnum):
    """Why a player was given time back."""

    UNSPECIFIED = 0
    RESTART = 1


@dataclass(frozen=True, slots=True)
class ClockCredited:
    """A player was given time back: his deadline moved on by `credit`."""

    seat: int
    credit: timedelta
    reason: CreditReason
