"""Drawing after a bout (rules.md, 7.2 and 7.3)."""

from durak_server.rules import effects
from durak_server.rules.cards import size_of
from durak_server.rules.events import Drew, Record
from durak_server.rules.law import HAND_SIZE, SEAT_BITS
from durak_server.rules.position import Position


def refill(position: Position, record: Record) -> None:
    """Fill the hands to six while the stock lasts; it must not be empty."""
    law = position.law
    first = position.main_attacker if law.main_attacker_draws_first else position.leader
    order = law.draw_orders[first][position.defender]
    if law.draw_in_rounds and _missing_in_all(position) > len(position.stock):
        while position.stock:
            _draw_once(position, order, 1, record)
    else:
        _draw_once(position, order, HAND_SIZE, record)


def _missing_in_all(position: Position) -> int:
    missing = 0
    for seat, hand in enumerate(position.hands):
        if position.in_play & SEAT_BITS[seat]:
            missing += max(HAND_SIZE - size_of(hand), 0)
    return missing


def _draw_once(position: Position, order: tuple[int, ...], most: int, record: Record) -> None:
    """Let each seat draw what it lacks, but not more than `most` cards."""
    for seat in order:
        number = HAND_SIZE - size_of(position.hands[seat])
        number = min(number, most)
        number = min(number, len(position.stock))
        if number > 0 and position.in_play & SEAT_BITS[seat]:
            if record is not None:
                record.append(Drew(seat, position.stock[:number]))
            effects.draw(position, seat, number)


def _least(first: int, second: int, third: int) -> int:
    """Return what `min` does, which compiled code would have to ask Python for."""
    least = first if first < second else second
    return least if least < third else third
