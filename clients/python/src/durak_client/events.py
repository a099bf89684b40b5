"""The facts of a match, as one viewer may know them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_client.cards import Card, Suit
from durak_client.matches import MatchInfo, Option, Presence, Preset, Seat, Spectators, Visibility
from durak_client.open_enum import OpenEnum
from durak_client.talk import Speech
from durak_client.view import DealResult, View


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The match was made, with these rules for good."""

    preset: Preset
    rules: Mapping[str, Option]
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    previous_match_id: str = ""
    """The match of which this is the rematch; empty for none."""
    spectator_delay_seconds: int = 0
    """How long after the players delayed spectators see what happens."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Somebody took a seat."""

    seat: Seat


class LeaveReason(OpenEnum):
    """Why a player has his seat no more."""

    UNSPECIFIED = 0
    LEFT = 1
    REMOVED = 2
    """The owner took it from him, before the start."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody left; the seat is free again if the match had not started."""

    seat: int
    player_id: str
    reason: LeaveReason = LeaveReason.UNSPECIFIED


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player went away or came back."""

    seat: int
    presence: Presence


@dataclass(frozen=True, slots=True)
class InviteRenewed:
    """Another invite code leads to the match; those who sit at it find it in `MatchInfo`."""


@dataclass(frozen=True, slots=True)
class SeatsReleased:
    """So many seats that were reserved are free for everybody."""

    count: int


@dataclass(frozen=True, slots=True)
class ReadyChanged:
    """A player said that he is ready for the start, or not any more."""

    seat: int
    is_ready: bool


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """Another player is the owner now."""

    owner_id: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The seats are closed and the first deal follows."""


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """All deals are played; how often each seat was the fool, in seat order."""

    times_fool: tuple[int, ...]


class AbandonReason(OpenEnum):
    """Why a match ended unplayed."""

    UNSPECIFIED = 0
    EVERYONE_LEFT = 1
    EXPIRED = 2
    """No human acted for longer than the server waits."""
    TERMINATED = 3
    """The operator ended it."""


@dataclass(frozen=True, slots=True)
class MatchAbandoned:
    """The match ended unplayed."""

    reason: AbandonReason = AbandonReason.UNSPECIFIED
    text: str = ""
    """What the operator tells those who played; empty if it was not he who ended it."""


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A player wants another match after this one."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    """All wanted another match, and here it is: follow that one now."""

    match_id: str


@dataclass(frozen=True, slots=True)
class Said:
    """A player said something; `speech` is None if the caller does not hear it."""

    seat: int
    player_id: str
    speech: Speech | None


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
    """An attacker laid cards on the discard."""

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


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """Something that this version of the client does not know; the view is right all the same."""


Fact = (
    MatchCreated
    | PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | InviteRenewed
    | SeatsReleased
    | ReadyChanged
    | OwnerChanged
    | MatchStarted
    | MatchFinished
    | MatchAbandoned
    | RematchOffered
    | RematchMade
    | Said
    | DealCommitted
    | SeedAdded
    | SeedRevealed
    | DealStarted
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
    | ClocksSet
    | TimeRanOut
    | ClockCredited
    | UnknownFact
)


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered fact: sequences are 1, 2, 3 ... without gaps, `recorded_at` is in UTC."""

    sequence: int
    recorded_at: datetime
    fact: Fact

    @property
    def kind(self) -> str:
        """The name on the wire, such as `thrown_in`; `unknown` for a kind not known here."""
        if isinstance(self.fact, UnknownFact):
            return "unknown"
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.fact).__name__).lower()


@dataclass(frozen=True, slots=True)
class Update:
    """What is new in a followed match: the events since the update before, and the view after them.

    `view` is None where the view mode asks for none, `info` comes with the first update of each
    connection. After `is_final` nothing follows.
    """

    match_id: str
    sequence: int
    events: tuple[Event, ...]
    view: View | None
    info: MatchInfo | None
    is_final: bool
