"""Playing a move."""

from durak_server.rules import actions
from durak_server.rules.cards import lowest_card
from durak_server.rules.check import check
from durak_server.rules.events import Event, Record
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
    kind = int(move.kind)
    if kind == ATTACK:
        actions.lead(position, move.cards, record)
    elif kind == BEAT:
        actions.beat(position, move.target, lowest_card(move.cards), record)
    elif kind == TAKE:
        actions.take(position, record)
    elif kind == TRANSFER:
        actions.transfer(position, move.cards, record)
    elif kind == SHOW:
        actions.show(position, lowest_card(move.cards), record)
    else:
        _advance_beside(position, seat, move, record)


def _advance_beside(position: Position, seat: int, move: Move, record: Record) -> None:
    """Make a move that more seats than one can have."""
    kind = int(move.kind)
    if kind == THROW_IN:
        actions.throw_in(position, seat, move.cards, record)
    elif kind == PASS:
        actions.pass_turn(position, seat, record)
    elif kind == RETRACT:
        actions.retract(position, seat, lowest_card(move.cards), record)
    elif kind == DUMP:
        actions.dump(position, seat, move.cards, record)
    else:
        actions.claim_redeal(position, seat, record)
