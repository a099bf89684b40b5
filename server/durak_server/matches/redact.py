"""The one seam at which an event becomes what a viewer may know of it (rules.md, 10).

A copy with something to hide is built from what the viewer may know, never by deleting from
what the match knows. No event is left out, so nobody's sequence has a gap.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from durak_server import rules
from durak_server.matches.events import (
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    OwnerChanged,
    PlayerJoined,
    PlayerLeft,
    Record,
)
from durak_server.matches.state import Dealt, Spectators, Visibility
from durak_server.rules import Card, Preset, RuleSet, cards_of


@dataclass(frozen=True, slots=True)
class SeenMatchCreated:
    """The match was made."""

    preset: Preset
    rules: RuleSet
    owner_id: str
    visibility: Visibility
    spectators: Spectators


@dataclass(frozen=True, slots=True)
class SeenDealStarted:
    """Cards were dealt; `hand` is the viewer's own, ascending, and empty for a spectator."""

    deal: int
    dealer: int
    leader: int
    trump: int
    trump_card: Card | None
    stock_size: int
    hand: tuple[Card, ...]
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeenDrew:
    """A player drew `count` cards; `cards` are those the viewer may know, in the order drawn."""

    seat: int
    count: int
    cards: tuple[Card, ...]


OpenEvent: TypeAlias = (
    PlayerJoined
    | PlayerLeft
    | OwnerChanged
    | MatchStarted
    | MatchFinished
    | MatchAbandoned
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

SeenEvent: TypeAlias = SeenMatchCreated | SeenDealStarted | SeenDrew | OpenEvent


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """A viewer's copy of a record."""

    sequence: int
    recorded_at: datetime
    event: SeenEvent


def visible_record(record: Record, seat: int | None, dealt: Dealt | None) -> SeenRecord:
    """Return the copy of a record for the viewer on `seat`, None for a spectator.

    `dealt` is the deal to which the event belongs; `History.dealt_at` knows it.
    """
    return SeenRecord(record.sequence, record.recorded_at, visible(record.event, seat, dealt))


def visible(event: MatchEvent, seat: int | None, dealt: Dealt | None) -> SeenEvent:
    """Return what the viewer on `seat` may know of an event; see `visible_record`."""
    match event:
        case MatchCreated():
            return SeenMatchCreated(
                event.preset, event.rules, event.owner_id, event.visibility, event.spectators
            )
        case rules.DealStarted():
            assert dealt, "a deal has begun with this very event"
            return _seen_deal(dealt, seat)
        case rules.Drew():
            assert dealt, "nobody draws before a deal"
            return _seen_draw(event, seat, dealt.position.trump_card)
        case _:
            return event


def _seen_deal(dealt: Dealt, seat: int | None) -> SeenDealStarted:
    position = dealt.position
    return SeenDealStarted(
        deal=dealt.number,
        dealer=dealt.dealer,
        leader=dealt.leader,
        trump=position.trump,
        trump_card=None if position.trump_card == rules.NO_CARD else position.trump_card,
        stock_size=len(position.stock),
        hand=() if seat is None else cards_of(position.hands[seat]),
        seats=tuple(range(len(position.hands))),
    )


def _seen_draw(event: rules.Drew, seat: int | None, trump_card: Card) -> SeenDrew:
    cards = event.cards if event.seat == seat else _open_trump(event, trump_card)
    return SeenDrew(event.seat, len(event.cards), cards)


def _open_trump(event: rules.Drew, trump_card: Card) -> tuple[Card, ...]:
    return (trump_card,) if trump_card in event.cards else ()
