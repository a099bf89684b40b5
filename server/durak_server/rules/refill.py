"""Drawing after a bout (rules.md, 7.2 and 7.3)."""

from durak_server.rules import effects
from durak_server.rules.cards import size_of
from durak_server.rules.events import Drew, Record
from durak_server.rules.law import HAND_SIZE, SEAT_BITS
from durak_server.rules.position import Position


def refill(position: Position, record: Record) -> None:
    """Fill the hands to six while the stock lasts."""
    if not position.stock:
        return
    wanted: list[tuple[int, int]] = []
    total = 0
    for seat in draw_order(position):
        missing = HAND_SIZE - size_of(position.hands[seat])
        if missing > 0:
            wanted.append((seat, missing))
            total += missing
    if total > len(position.stock) and position.law.draw_in_rounds:
        wanted = _one_by_one(wanted)
    for seat, missing in wanted:
        drawn = position.stock[:missing]
        if drawn:
            effects.draw(position, seat, len(drawn))
            if record is not None:
                record.append(Drew(seat, drawn))


def draw_order(position: Position) -> list[int]:
    """Return the seats in play in the order in which they draw, the defender last."""
    law = position.law
    first = start = position.leader
    if law.main_attacker_draws_first:
        first = start = position.main_attacker
    elif law.leader_then_left_of_defender:
        start = position.defender
    order: list[int] = []
    left = position.in_play & ~SEAT_BITS[position.defender]
    for seat in (first, *law.clockwise[start]):
        if left & SEAT_BITS[seat]:
            left &= ~SEAT_BITS[seat]
            order.append(seat)
    order.append(position.defender)
    return order


def _one_by_one(wanted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same wishes as rounds of one card each."""
    longest = max([missing for _, missing in wanted])
    return [(seat, 1) for turn in range(longest) for seat, missing in wanted if missing > turn]
