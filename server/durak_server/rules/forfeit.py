"""A player leaves during a deal (rules.md, 8.7)."""

from durak_server.rules import effects
from durak_server.rules.cards import BIT, Mask, cards_of, mask_of
from durak_server.rules.events import (
    BoutEnded,
    BoutOutcome,
    DealEnded,
    DealEndReason,
    Event,
    Forfeited,
)
from durak_server.rules.law import SEAT_BITS
from durak_server.rules.outcome import finish, side_of
from durak_server.rules.position import Position
from durak_server.rules.settle import start_bout


def forfeit(position: Position, seat: int) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after `seat` has left, and what happened.

    The bout is void, the leaver's cards go out of play, and the others play on if two of them,
    or without teams more than one, are left.

    Raises:
        ValueError: the deal is over or the seat is not in play.
    """
    if position.result is not None or not position.in_play & SEAT_BITS[seat]:
        raise ValueError(f"seat {seat} is not in play")
    after = position.copy()
    events: list[Event] = []
    _void_bout(after, events)
    effects.leave(after, seat)
    events.append(Forfeited(seat))
    if after.law.teams:
        finish(after, side_of(after, SEAT_BITS[seat]), DealEndReason.FORFEIT, events)
    elif after.in_play.bit_count() == 1:
        finish(after, 0, DealEndReason.FORFEIT, events)
    else:
        gone = after.leader == seat
        leader = after.law.next_seat[seat][after.in_play] if gone else after.leader
        start_bout(after, leader, events)
    return after, tuple(events)


def void_deal(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a deal was given up by all, and what happened: it has no fool.

    Raises:
        ValueError: the deal is over.
    """
    if position.result is not None:
        raise ValueError("the deal is over")
    after = position.copy()
    result = DealEnded((), (), 0, DealEndReason.VOID)
    effects.end_deal(after, result)
    return after, (result,)


def _void_bout(position: Position, events: list[Event]) -> None:
    """Give every card of the bout back to whoever laid it."""
    laid = cards_by_owner(position)
    effects.end_bout(position, BoutOutcome.VOID, laid)
    listed = tuple((seat, cards_of(cards)) for seat, cards in sorted(laid.items()))
    events.append(BoutEnded(BoutOutcome.VOID, listed))


def cards_by_owner(position: Position) -> dict[int, Mask]:
    """Return the cards of this bout, dumped ones too, by the seat that laid them."""
    owned: dict[int, Mask] = dict(position.dumps)
    for card, seat in position.attacks.items():
        owned[seat] = owned.get(seat, 0) | BIT[card]
    if position.covers:
        covers = mask_of(position.covers.values())
        owned[position.defender] = owned.get(position.defender, 0) | covers
    return owned
