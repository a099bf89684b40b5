"""Playing a move."""

from durak_server.rules import effects
from durak_server.rules.cards import Card, Mask, cards_of, lowest_card
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
from durak_server.rules.moves import (
    ATTACK,
    BEAT,
    DUMP,
    PASS,
    RETRACT,
    SHOW,
    TAKE,
    THROW_IN,
    TRANSFER,
    Move,
)
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
    step(position, seat, int(move.kind), move.cards, move.target, record)


def step(
    position: Position, seat: int, kind: int, cards: Mask, target: Card, record: Record
) -> None:
    """Do what `advance` does for a move given as numbers: the value of its kind and its fields."""
    if kind == PASS:
        effects.pass_turn(position, seat)
        if record is not None:
            record.append(Passed(seat))
    elif kind == BEAT:
        card = lowest_card(cards)
        effects.beat(position, target, card)
        if record is not None:
            record.append(Beaten(seat, target, card))
    elif kind == ATTACK:
        effects.lead(position, seat, cards)
        if record is not None:
            record.append(Led(seat, cards_of(cards)))
        return  # it has to be answered
    elif kind == TAKE:
        _take(position, seat, record)
    elif kind == THROW_IN:
        _throw_in(position, seat, cards, record)
    else:
        _rare_step(position, seat, kind, cards, record)
    if position.result is None:  # a claim for a new deal ends this one in the middle of a bout
        settle(position, record)


def _rare_step(position: Position, seat: int, kind: int, cards: Mask, record: Record) -> None:
    if kind == TRANSFER:
        _transfer(position, seat, cards, record)
    elif kind == SHOW:
        _show(position, seat, cards, record)
    elif kind == RETRACT:
        _retract(position, seat, cards, record)
    elif kind == DUMP:
        _dump(position, seat, cards, record)
    else:
        _claim(position, seat, record)


def _take(position: Position, seat: int, record: Record) -> None:
    effects.take(position)
    if record is not None:
        record.append(TakeDeclared(seat))


def _throw_in(position: Position, seat: int, cards: Mask, record: Record) -> None:
    effects.throw_in(position, seat, cards)
    if record is not None:
        record.append(ThrownIn(seat, cards_of(cards)))


def _transfer(position: Position, seat: int, cards: Mask, record: Record) -> None:
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.transfer(position, cards, defender, limit)
    if record is not None:
        record.append(Transferred(seat, cards_of(cards), defender, limit))


def _show(position: Position, seat: int, cards: Mask, record: Record) -> None:
    card = lowest_card(cards)
    defender = transfer_target(position)
    limit = limit_against(position, defender)
    effects.show(position, card, defender, limit)
    if record is not None:
        record.append(Shown(seat, card, defender, limit))


def _retract(position: Position, seat: int, cards: Mask, record: Record) -> None:
    card = lowest_card(cards)
    effects.retract(position, seat, card)
    if record is not None:
        record.append(Retracted(seat, card))


def _dump(position: Position, seat: int, cards: Mask, record: Record) -> None:
    effects.dump(position, seat, cards)
    if record is not None:
        record.append(Dumped(seat, cards_of(cards)))


def _claim(position: Position, seat: int, record: Record) -> None:
    effects.reveal_hand(position, seat)
    result = DealEnded((), (), 0, DealEndReason.REDEAL)
    effects.end_deal(position, result)
    if record is not None:
        record += (RedealClaimed(seat, cards_of(position.hands[seat])), result)
