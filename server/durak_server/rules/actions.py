"""Making a legal move of each kind in place: its effect, its event, and what follows from it.

Nothing is checked here. Each function notes the events if a record is given, and returns who is the
`first_to_act` after the move, or NOBODY.
"""

from durak_server.rules import effects
from durak_server.rules.cards import Card, Mask, cards_of
from durak_server.rules.events import (
    Beaten,
    DealEnded,
    DealEndReason,
    Dumped,
    Led,
    Passed,
    Record,
    RedealClaimed,
    Retracted,
    Shown,
    TakeDeclared,
    ThrownIn,
    Transferred,
)
from durak_server.rules.position import Position
from durak_server.rules.seating import NOBODY, limit_against
from durak_server.rules.settle import settle
from durak_server.rules.transfers import transfer_target


def lead(position: Position, cards: Mask, record: Record) -> int:
    """Open the bout with cards of one rank (rules.md, 3.1)."""
    seat = position.leader
    effects.lead(position, seat, cards)
    if record is not None:
        record.append(Led(seat, cards_of(cards)))
    return position.defender  # nothing can be settled before an answer


def throw_in(position: Position, seat: int, cards: Mask, record: Record) -> int:
    """Add attack cards to the bout (rules.md, 4)."""
    effects.throw_in(position, seat, cards)
    if record is not None:
        record.append(ThrownIn(seat, cards_of(cards)))
    return settle(position, record)


def beat(position: Position, target: Card, card: Card, record: Record) -> int:
    """Cover an attack card (rules.md, 3.2)."""
    seat = position.defender
    effects.beat(position, target, card)
    if record is not None:
        record.append(Beaten(seat, target, card))
    return settle(position, record)


def transfer(position: Position, cards: Mask, record: Record) -> int:
    """Hand the defence on with cards of the rank led (rules.md, 5.1)."""
    seat = position.defender
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.transfer(position, cards, defender, limit)
    if record is not None:
        record.append(Transferred(seat, cards_of(cards), defender, limit))
    return settle(position, record)


def show(position: Position, card: Card, record: Record) -> int:
    """Hand the defence on by showing a trump (rules.md, 5.7)."""
    seat = position.defender
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.show(position, card, defender, limit)
    if record is not None:
        record.append(Shown(seat, card, defender, limit))
    return settle(position, record)


def take(position: Position, record: Record) -> int:
    """Give the defence up (rules.md, 3.7)."""
    seat = position.defender
    effects.take(position)
    if record is not None:
        record.append(TakeDeclared(seat))
    return settle(position, record)


def pass_turn(position: Position, seat: int, record: Record) -> int:
    """Throw in no more (rules.md, 4.3)."""
    effects.pass_turn(position, seat)
    if record is not None:
        record.append(Passed(seat))
    return settle(position, record)


def retract(position: Position, seat: int, card: Card, record: Record) -> int:
    """Take a card back that lies uncovered (rules.md, 4.8)."""
    effects.retract(position, seat, card)
    if record is not None:
        record.append(Retracted(seat, card))
    return settle(position, record)


def dump(position: Position, seat: int, cards: Mask, record: Record) -> int:
    """Lay cards aside that fit (rules.md, 4.9)."""
    effects.dump(position, seat, cards)
    if record is not None:
        record.append(Dumped(seat, cards_of(cards)))
    return settle(position, record)


def claim_redeal(position: Position, seat: int, record: Record) -> int:
    """Demand a new deal, showing the hand that gives the right to it (rules.md, 2.6)."""
    effects.reveal_hand(position, seat)
    result = DealEnded((), (), 0, DealEndReason.REDEAL)
    effects.end_deal(position, result)
    if record is not None:
        record += (RedealClaimed(seat, cards_of(position.hands[seat])), result)
    return NOBODY
