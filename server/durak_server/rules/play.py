"""Playing a move."""

from collections.abc import Callable
from typing import Final

from durak_server.rules import effects
from durak_server.rules.cards import Card, Mask, cards_of
from durak_server.rules.check import check
from durak_server.rules.events import (
    Beaten,
    DealEnded,
    DealEndReason,
    Dumped,
    Event,
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
from durak_server.rules.moves import Move
from durak_server.rules.position import Position
from durak_server.rules.refusals import Refusal
from durak_server.rules.seating import limit_against
from durak_server.rules.settle import settle
from durak_server.rules.transfers import transfer_target


def play(position: Position, move: Move, seat: int) -> tuple[Position, tuple[Event, ...]] | Refusal:
    """Return the position after `seat` has made the move, and everything that happened.

    The position given is left as it is. A move that the rules forbid gives a refusal.
    """
    refusal = check(position, seat, move)
    if refusal is not None:
        return refusal
    after = position.copy()
    events: list[Event] = []
    advance(after, seat, move, events)
    return after, tuple(events)


def advance(position: Position, seat: int, move: Move, record: Record = None) -> None:
    """Make a legal move in place, noting the events if a record is given.

    For callers that took the move from `legal_moves`: nothing is checked.
    """
    kind, cards, target = move
    _STEPS[kind - 1](position, seat, cards, target, record)
    settle(position, record)


def _attack(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    effects.lead(position, seat, cards)
    if record is not None:
        record.append(Led(seat, cards_of(cards)))


def _throw_in(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    effects.throw_in(position, seat, cards)
    if record is not None:
        record.append(ThrownIn(seat, cards_of(cards)))


def _beat(position: Position, seat: int, cards: Mask, target: Card, record: Record) -> None:
    card = cards.bit_length() - 1
    effects.beat(position, target, card)
    if record is not None:
        record.append(Beaten(seat, target, card))


def _transfer(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.transfer(position, cards, defender, limit)
    if record is not None:
        record.append(Transferred(seat, cards_of(cards), defender, limit))


def _show(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    card = cards.bit_length() - 1
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.show(position, card, defender, limit)
    if record is not None:
        record.append(Shown(seat, card, defender, limit))


def _take(position: Position, seat: int, _cards: Mask, _target: Card, record: Record) -> None:
    effects.take(position)
    if record is not None:
        record.append(TakeDeclared(seat))


def _pass(position: Position, seat: int, _cards: Mask, _target: Card, record: Record) -> None:
    effects.pass_turn(position, seat)
    if record is not None:
        record.append(Passed(seat))


def _retract(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    card = cards.bit_length() - 1
    effects.retract(position, seat, card)
    if record is not None:
        record.append(Retracted(seat, card))


def _dump(position: Position, seat: int, cards: Mask, _target: Card, record: Record) -> None:
    effects.dump(position, seat, cards)
    if record is not None:
        record.append(Dumped(seat, cards_of(cards)))


def _claim(position: Position, seat: int, _cards: Mask, _target: Card, record: Record) -> None:
    effects.reveal_hand(position, seat)
    result = DealEnded((), (), 0, DealEndReason.REDEAL)
    effects.end_deal(position, result)
    if record is not None:
        record += (RedealClaimed(seat, cards_of(position.hands[seat])), result)


_Step = Callable[[Position, int, Mask, Card, Record], None]

# In the order of MoveKind, which starts at 1.
_STEPS: Final[tuple[_Step, ...]] = (
    _attack,
    _throw_in,
    _beat,
    _transfer,
    _show,
    _take,
    _pass,
    _retract,
    _dump,
    _claim,
)
