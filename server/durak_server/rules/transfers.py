"""Passing the attack on (rules.md, 5)."""

from durak_server.rules.cards import Mask
from durak_server.rules.law import SAME_RANK
from durak_server.rules.position import UNLIMITED, Position
from durak_server.rules.seating import next_among


def transfer_target(position: Position) -> int:
    """Return who would defend after a transfer, or -1 if nobody could (rules.md, 5.3)."""
    defender = position.defender
    able = position.in_play & position.holding & position.law.rivals[defender]
    return next_among(position, defender, able)


def defence_is_open(position: Position) -> bool:
    """Return whether the defender has neither covered a card nor given up (rules.md, 5.1)."""
    return not position.taking and position.uncovered == position.on_table


def may_be_transferred(position: Position) -> bool:
    """Return whether this bout can be transferred by the rule set (rules.md, 5.1 and 5.6)."""
    return position.law.transfer and (position.law.transfer_first_bout or position.bouts > 0)


def rank_led(position: Position) -> Mask:
    """Return all cards of the rank led; something must have been led."""
    return SAME_RANK[position.attacks[0]]


def hand_room(position: Position, target: int) -> int:
    """Return how many more cards `target` may find before him, negative if too many lie there.

    Without a hand check there is as much room as cards (rules.md, 5.4).
    """
    if not position.law.check_next_hand:
        return UNLIMITED
    return position.hands[target].bit_count() - len(position.attacks)


def transfer_room(position: Position, target: int) -> int:
    """Return how many cards a transfer to `target` may add at most (rules.md, 5.4, 5.5).

    The cap needs no check: a rank has four cards, and the lowest cap is five.
    """
    most = UNLIMITED if position.law.transfer_many else 1
    return min(most, hand_room(position, target))
