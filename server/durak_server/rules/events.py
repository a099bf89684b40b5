"""The facts of a deal, in the order in which they happen (rules.md, 13.1).

Events carry everything that changed, hidden cards included: a copy for a viewer leaves these out.
Cards are listed in ascending order unless said otherwise.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from durak_server.rules.cards import Card


class BoutOutcome(StrEnum):
    """How a bout ended."""

    BEATEN = "BEATEN"
    TAKEN = "TAKEN"
    VOID = "VOID"


class DealEndReason(StrEnum):
    """Why a deal is over (rules.md, 8.8)."""

    FOOL = "FOOL"
    DRAW = "DRAW"
    BOUND = "BOUND"
    TEAM = "TEAM"
    FORFEIT = "FORFEIT"
    REDEAL = "REDEAL"
    VOID = "VOID"


@dataclass(frozen=True, slots=True)
class DealStarted:
    """The whole deck in its shuffled order, first card dealt first. Secret.

    `seats` are those that got cards, ascending; empty if all of them did.
    """

    order: tuple[Card, ...]
    dealer: int
    leader: int
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoutStarted:
    """A bout began; `limit` attack cards may be laid in it, 54 standing for no limit."""

    leader: int
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class Led:
    """The leader opened the bout."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """An attacker added cards."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Beaten:
    """The defender covered `target` with `card`."""

    seat: int
    target: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Transferred:
    """The defender passed the attack on to `defender`, whose limit is `limit`."""

    seat: int
    cards: tuple[Card, ...]
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The defender passed the attack on by showing a trump that he keeps."""

    seat: int
    card: Card
    defender: int
    limit: int


@dataclass(frozen=True, slots=True)
class TakeDeclared:
    """The defender gave up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """An attacker throws in no more for now."""

    seat: int


@dataclass(frozen=True, slots=True)
class Retracted:
    """An attacker took back a card that he had thrown in."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Dumped:
    """An attacker laid cards aside for the discard; he has them back if the bout goes on."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RedealClaimed:
    """A player showed a hand that gives him a new deal."""

    seat: int
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BoutEnded:
    """The table was cleared.

    `returned` lists the cards that went back to the hands of those who had laid them, by seat.
    All others went to the discard (BEATEN) or to the defender (TAKEN).
    """

    outcome: BoutOutcome
    returned: tuple[tuple[int, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """A player drew cards from the stock, in this order. Secret, save for the open trump."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player has no cards and there is no stock. Equal places share the number; 1 is first."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player left; his hand is out of play."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is over.

    `fools` are the losing seats in ascending order. `places` ranks every seat, best first, with
    equal ones together; it is empty when only the fool counts and when the deal does not.
    `epaulettes` counts the sixes hung on the fool.
    """

    fools: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    epaulettes: int
    reason: DealEndReason


Event: TypeAlias = (
    DealStarted
    | BoutStarted
    | Led
    | ThrownIn
    | Beaten
    | Transferred
    | Shown
    | TakeDeclared
    | Passed
    | Retracted
    | Dumped
    | RedealClaimed
    | BoutEnded
    | Drew
    | WentOut
    | Forfeited
    | DealEnded
)

Record: TypeAlias = list[Event] | None
"""Where events are noted as they happen; None when nobody wants them."""
