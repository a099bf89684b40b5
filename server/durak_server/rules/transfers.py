"""Passing the attack on (rules.md, 5)."""

from durak_server.rules.cards import Mask, size_of
from durak_server.rules.law import SAME_RANK, UNLIMITED
from durak_server.rules.position import Position


def transferable(position: Position) -> Mask:
    """Return the cards that the defender may transfer with now; something must be led."""
    if not _may_be_transferred(position) or most_transferred(position) <= 0:
        return 0
    return rank_led(position) & position.hands[position.defender]


def showable(position: Position) -> Mask:
    """Return the trumps that the defender may show now; something must be led (rules.md, 5.7)."""
    law = position.law
    if not law.transfer_show or not _may_be_transferred(position):
        return 0
    target = transfer_target(position)
    if target < 0 or hand_room(position, target) < 0:
        return 0
    trumps = law.trumps[position.trump] & ~position.shown
    return trumps & rank_led(position) & position.hands[position.defender]


def _may_be_transferred(position: Position) -> bool:
    """Return whether nothing in this bout forbids a transfer (rules.md, 5.1 and 5.6)."""
    law = position.law
    if not law.transfer or not (law.transfer_first_bout or position.bouts):
        return False
    return not position.taking and not position.covers


def most_transferred(position: Position) -> int:
    """Return how many cards a transfer may add, 0 or less for none (rules.md, 5.3 to 5.5).

    The cap needs no check: a rank has four cards, and the lowest cap is five.
    """
    target = transfer_target(position)
    if target < 0:
        return 0
    most = UNLIMITED if position.law.transfer_many else 1
    return min(most, hand_room(position, target))


def transfer_target(position: Position) -> int:
    """Return who would defend after a transfer, or -1 if nobody could (rules.md, 5.3)."""
    return position.law.next_rival[position.defender][position.in_play & position.holding]


def rank_led(position: Position) -> Mask:
    """Return all cards of the rank led; something must have been led."""
    return SAME_RANK[next(iter(position.attacks))]


def hand_room(position: Position, target: int) -> int:
    """Return how many more cards `target` may find before him, negative if too many lie there.

    Without a hand check there is as much room as cards (rules.md, 5.4).
    """
    if not position.law.check_next_hand:
        return UNLIMITED
    return size_of(position.hands[target]) - len(position.attacks)
