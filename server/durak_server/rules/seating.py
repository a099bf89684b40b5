"""Who sits where towards whom: neighbours, attackers, and whom the deal waits for.

Sets of seats are masks: bit k for seat k. Nothing here looks at which cards a hand holds, only at
whether it holds any (rules.md, 6.2).
"""

from typing import Final

from durak_server.rules.cards import size_of
from durak_server.rules.law import SEAT_BITS
from durak_server.rules.position import Position

NOBODY: Final = -1
"""Where a seat could be asked and none is."""

_SEATS: Final = tuple(
    tuple(seat for seat, bit in enumerate(SEAT_BITS) if seats & bit) for seats in range(64)
)


def undecided(position: Position) -> int:
    """Return the attackers who hold cards and have not passed: the bout is open while any are."""
    return position.attackers & position.holding & ~position.passed


def attackers_at_turn(position: Position) -> int:
    """Return the attackers who may throw in or pass now (rules.md, 4.3 and 4.4)."""
    law = position.law
    if law.after_covered and position.uncovered and not position.taking:
        return 0
    seats = undecided(position)
    if not seats or law.free:
        return seats
    main = position.main_attacker
    if law.in_order or seats & SEAT_BITS[main]:
        return SEAT_BITS[law.first_seat[main][seats]]
    return seats


def seats_of(seats: int) -> tuple[int, ...]:
    """Return the seats of a set in ascending order."""
    return _SEATS[seats]


def to_act(position: Position) -> tuple[int, ...]:
    """Return the seats the deal waits for, in ascending order; none when it is over.

    Depends on public facts alone (rules.md, 6.2): when no more cards fit into the bout nobody waits
    for attackers, though they may still pass. Others may have legal moves too: to take a card back,
    to claim a new deal.
    """
    if position.result is not None:
        return ()
    if not position.attacks:
        return _SEATS[SEAT_BITS[position.leader]]
    seats = 0
    if position.uncovered and not position.taking:
        seats = SEAT_BITS[position.defender]
    if len(position.attacks) < position.limit:
        seats |= attackers_at_turn(position)
    return _SEATS[seats]


def first_to_act(position: Position) -> int:
    """Return one of the seats the deal waits for, where one has to be asked before the others.

    The defender answers before anybody throws in, then the main attacker comes first and the
    others clockwise. The deal must not be over.
    """
    if not position.attacks:
        return position.leader
    if position.uncovered and not position.taking:
        return position.defender
    return position.law.first_seat[position.main_attacker][undecided(position)]


def must_act(position: Position) -> tuple[int, ...]:
    """Return the seats whose time runs, in ascending order (rules.md, 15.2).

    The defender alone while he has a card to answer, else all whom the deal waits for.
    """
    if position.uncovered and not position.taking and position.result is None:
        return _SEATS[SEAT_BITS[position.defender]]
    return to_act(position)


def attack_cap(position: Position) -> int:
    """Return the most attack cards any bout may have now, whoever defends (rules.md, 4.5, 4.6)."""
    law = position.law
    if law.five_at_first and not position.bouts:
        return 5
    if law.five_until_discard and not position.discard:
        return 5
    return law.attack_cap


def limit_against(position: Position, defender: int) -> int:
    """Return the limit of attack cards for one who becomes defender now (rules.md, 4.5, 4.7)."""
    law = position.law
    cap = attack_cap(position) if law.has_first_cap else law.attack_cap
    if law.overthrow and not position.stock:
        return cap
    held = size_of(position.hands[defender])
    return held if held < cap else cap
