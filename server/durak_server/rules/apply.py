"""Folding events into a position."""

from typing import TypeAlias, assert_never

from durak_server.rules import effects
from durak_server.rules.cards import mask_of
from durak_server.rules.deal import deal_cards, seats_dealt_in
from durak_server.rules.events import (
    Beaten,
    BoutEnded,
    BoutStarted,
    DealEnded,
    DealStarted,
    Drew,
    Dumped,
    Event,
    Forfeited,
    Led,
    Passed,
    RedealClaimed,
    Retracted,
    Shown,
    TakeDeclared,
    ThrownIn,
    Transferred,
    WentOut,
)
from durak_server.rules.law import law_of
from durak_server.rules.options import RuleSet
from durak_server.rules.position import Position

_CardsPlayed: TypeAlias = Led | ThrownIn | Beaten | Transferred | Shown | Retracted | Dumped
_TableChange: TypeAlias = (
    TakeDeclared
    | Passed
    | RedealClaimed
    | BoutStarted
    | BoutEnded
    | Drew
    | WentOut
    | Forfeited
    | DealEnded
)


def apply(position: Position | None, event: Event, rules: RuleSet) -> Position:
    """Return the position after an event; whether it was legal is not asked.

    The position may be None for DealStarted only, which makes a new one.
    """
    if isinstance(event, DealStarted):
        law = law_of(rules)
        seats = seats_dealt_in(law, event.seats)
        return deal_cards(law, list(event.order), event.dealer, event.leader, seats)
    assert position is not None, "a deal begins with DealStarted"
    after = position.copy()
    if isinstance(event, _CardsPlayed):
        _apply_cards_played(after, event)
    else:
        _apply_table_change(after, event)
    return after


def _apply_cards_played(position: Position, event: _CardsPlayed) -> None:
    match event:
        case Led(seat, cards):
            effects.lead(position, seat, mask_of(cards))
        case ThrownIn(seat, cards):
            effects.throw_in(position, seat, mask_of(cards))
        case Beaten(_, target, card):
            effects.beat(position, target, card)
        case Transferred(_, cards, defender, limit):
            effects.transfer(position, mask_of(cards), defender, limit)
        case Shown(_, card, defender, limit):
            effects.show(position, card, defender, limit)
        case Retracted(seat, card):
            effects.retract(position, seat, card)
        case Dumped(seat, cards):
            effects.dump(position, seat, mask_of(cards))
        case _:
            assert_never(event)


def _apply_table_change(position: Position, event: _TableChange) -> None:
    match event:
        case TakeDeclared():
            effects.take(position)
        case Passed(seat):
            effects.pass_turn(position, seat)
        case RedealClaimed(seat):
            effects.reveal_hand(position, seat)
        case BoutStarted(leader, defender, limit):
            effects.start_bout(position, leader, defender, limit)
        case BoutEnded(outcome, returned):
            owners = {seat: mask_of(cards) for seat, cards in returned}
            effects.end_bout(position, outcome, owners)
        case Drew(seat, cards):
            effects.draw(position, seat, cards)
        case WentOut(seat, place):
            effects.go_out(position, seat, place)
        case Forfeited(seat):
            effects.leave(position, seat)
        case DealEnded():
            effects.end_deal(position, event)
        case _:
            assert_never(event)
