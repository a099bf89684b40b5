"""The one seam at which an event becomes what a viewer may know of it (rules.md, 10).

A copy with something to hide is built from what the viewer may know, never by deleting from
what the match knows. No event is left out, so nobody's sequence has a gap.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Literal, TypeAlias

from durak_server import rules
from durak_server.matches.events import (
    ClockEvent,
    DealCommitted,
    InviteRenewed,
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    OwnerChanged,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    ReadyChanged,
    Record,
    RematchEvent,
    Said,
    SeatsReleased,
    SeedAdded,
    SeedRevealed,
)
from durak_server.matches.speech import Speech
from durak_server.matches.state import Dealt, Spectators, Visibility
from durak_server.rules import Card, Preset, RuleSet, cards_of


class Openly(Enum):
    """How a match is looked at once it is over."""

    OPEN = auto()
    """From no seat, with all cards open; `replay` decides who may."""


Viewer: TypeAlias = int | Literal[Openly.OPEN] | None
"""Who looks: a seat, a spectator (None), or one to whom all cards are open."""


@dataclass(frozen=True, slots=True)
class SeenMatchCreated:
    """The match was made."""

    preset: Preset
    rules: RuleSet
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    previous_match_id: str = ""
    spectator_delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class SeenInviteRenewed:
    """Another invite code leads here now; those who sit here find it in the lobby."""


@dataclass(frozen=True, slots=True)
class SeenDealCommitted:
    """The server bound itself to a seed for a shuffle to come."""

    shuffle: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeenDealStarted:
    """Cards were dealt; `hand` is the viewer's own, ascending, and empty for a spectator.

    With open cards `hands` are those of `seats` and `order` is the whole deck, first card dealt
    first; both are empty otherwise.
    """

    deal: int
    dealer: int
    leader: int
    trump: int
    trump_card: Card | None
    stock_size: int
    hand: tuple[Card, ...]
    seats: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...] = ()
    order: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenDrew:
    """A player drew `count` cards; `cards` are those the viewer may know, in the order drawn."""

    seat: int
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeenSaid:
    """A player said something; `speech` is None if the viewer does not hear it."""

    seat: int
    player_id: str
    speech: Speech | None


OpenEvent: TypeAlias = (
    PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | SeatsReleased
    | ReadyChanged
    | OwnerChanged
    | MatchStarted
    | MatchFinished
    | MatchAbandoned
    | RematchEvent
    | SeedAdded
    | SeedRevealed
    | ClockEvent
    | rules.BoutStarted
    | rules.Led
    | rules.ThrownIn
    | rules.Beaten
    | rules.Transferred
    | rules.Shown
    | rules.TakeDeclared
    | rules.Passed
    | rules.Retracted
    | rules.Dumped
    | rules.RedealClaimed
    | rules.BoutEnded
    | rules.WentOut
    | rules.Forfeited
    | rules.DealEnded
)
"""Events in which there is nothing to hide."""

SeenEvent: TypeAlias = (
    SeenMatchCreated
    | SeenInviteRenewed
    | SeenDealCommitted
    | SeenDealStarted
    | SeenDrew
    | SeenSaid
    | OpenEvent
)


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """A viewer's copy of a record."""

    sequence: int
    recorded_at: datetime
    event: SeenEvent


def visible_record(record: Record, viewer: Viewer, dealt: Dealt | None) -> SeenRecord:
    """Return the viewer's copy of a record.

    `dealt` is the deal to which the event belongs; `History.dealt_at` knows it.
    """
    return SeenRecord(record.sequence, record.recorded_at, visible(record.event, viewer, dealt))


def visible(event: MatchEvent, viewer: Viewer, dealt: Dealt | None) -> SeenEvent:
    """Return what the viewer may know of an event; see `visible_record`."""
    match event:
        case MatchCreated():
            return SeenMatchCreated(
                event.preset,
                event.rules,
                event.owner_id,
                event.visibility,
                event.spectators,
                event.previous_match_id,
                event.spectator_delay,
            )
        case InviteRenewed():
            return SeenInviteRenewed()
        case DealCommitted():
            return SeenDealCommitted(event.shuffle, event.commitment)
        case Said():
            hears = viewer not in event.kept_from
            return SeenSaid(event.seat, event.player_id, event.speech if hears else None)
        case rules.DealStarted():
            assert dealt, "a deal has begun with this very event"
            return _seen_deal(event, dealt, viewer)
        case rules.Drew():
            assert dealt, "nobody draws before a deal"
            return _seen_draw(event, viewer, dealt.position.trump_card)
        case _:
            return event


def _seen_deal(event: rules.DealStarted, dealt: Dealt, viewer: Viewer) -> SeenDealStarted:
    position = dealt.position
    is_open = viewer is Openly.OPEN
    seats = event.seats or tuple(range(len(position.hands)))
    return SeenDealStarted(
        deal=dealt.number,
        dealer=dealt.dealer,
        leader=dealt.leader,
        trump=position.trump,
        trump_card=None if position.trump_card == rules.NO_CARD else position.trump_card,
        stock_size=len(position.stock),
        hand=cards_of(position.hands[viewer]) if isinstance(viewer, int) else (),
        seats=seats,
        hands=tuple(cards_of(position.hands[seat]) for seat in seats) if is_open else (),
        order=event.order if is_open else (),
    )


def _seen_draw(event: rules.Drew, viewer: Viewer, trump_card: Card) -> SeenDrew:
    is_known = viewer in (event.seat, Openly.OPEN)
    cards = event.cards if is_known else _open_trump(event, trump_card)
    return SeenDrew(event.seat, len(event.cards), cards)


def _open_trump(event: rules.Drew, trump_card: Card) -> tuple[Card, ...]:
    return (trump_card,) if trump_card in event.cards else ()
