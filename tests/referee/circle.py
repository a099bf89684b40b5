"""Who sits where: left, opposite, partner (rules.md, 1.1 and section 9)."""

from tests.referee.position import Position


def clockwise(deal: Position, first: int) -> list[int]:
    """Return the seats in play, clockwise, `first` (if in play) before the others."""
    count = len(deal.hands)
    return [seat % count for seat in range(first, first + count) if seat % count in deal.in_play]


def left_of(deal: Position, seat: int) -> int:
    return clockwise(deal, seat + 1)[0]


def same_side(deal: Position, one: int, other: int) -> bool:
    """Tell whether two seats are one side; without teams everybody is his own."""
    if deal.options["teams"] == "ALTERNATE":
        return one % 2 == other % 2
    return one == other


def opponents_from_left(deal: Position, seat: int) -> list[int]:
    return [s for s in clockwise(deal, seat + 1) if not same_side(deal, s, seat)]
