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
    in_rounds = law.draw_in_rounds and _missing_in_all(position) > len(position.stock)
    while position.stock:
        for seat in order:
            missing = HAND_SIZE - size_of(position.hands[seat])
            if missing > 0 and position.in_play & SEAT_BITS[seat]:
                cards = position.stock[: 1 if in_rounds else missing]
                if cards:
                    if record is not None:
                        record.append(Drew(seat, cards))
                    effects.draw(position, seat, cards)
        if not in_rounds:
            break  # nobody lacks a card, or there are none


def _missing_in_all(position: Position) -> int:
    missing = 0
    for seat, hand in enumerate(position.hands):
        if position.in_play & SEAT_BITS[seat]:
            missing += max(HAND_SIZE - size_of(hand), 0)
    return missing
