"""The moves a seat may make now, as groups in a pinned order.

Groups come in the order of MoveKind, then of the target, then of rank; `expand` pins the order
inside a group. `at_random` plays one of the same moves without listing them, from the same facts.
"""

from typing import Final

from durak_server.rules.cards import BIT, NO_CARD, Mask, size_of
from durak_server.rules.law import HAND_SIZE, SEAT_BITS
from durak_server.rules.moves import MoveGroup, MoveKind
from durak_server.rules.position import Position
from durak_server.rules.seating import attackers_at_turn
from durak_server.rules.transfers import most_transferred, showable, transferable

_ATTACK: Final = MoveKind.ATTACK
_THROW_IN: Final = MoveKind.THROW_IN
_BEAT: Final = MoveKind.BEAT
_TRANSFER: Final = MoveKind.TRANSFER
_SHOW: Final = MoveKind.SHOW
_RETRACT: Final = MoveKind.RETRACT
_DUMP: Final = MoveKind.DUMP
_TAKE: Final = MoveGroup(MoveKind.TAKE, 0, NO_CARD, 0, 0)
_PASS: Final = MoveGroup(MoveKind.PASS, 0, NO_CARD, 0, 0)
_CLAIM: Final = MoveGroup(MoveKind.CLAIM_REDEAL, 0, NO_CARD, 0, 0)


def legal_moves(position: Position, seat: int) -> list[MoveGroup]:
    """Return what `seat` may do now; nothing when it may do nothing."""
    if position.result is not None or not position.in_play & SEAT_BITS[seat]:
        return []
    groups: list[MoveGroup] = []
    if not position.attacks:
        if seat == position.leader:
            _add_leads(position, groups)
    elif seat == position.defender:
        if position.uncovered and not position.taking:
            _add_defences(position, groups)
            _add_retracts(position, seat, groups)  # thrown in before a transfer to him
    else:
        _add_throw_ins(position, seat, groups)
    if position.law.uniform_hands and may_claim(position, seat):
        groups.append(_CLAIM)
    return groups


def _add_leads(position: Position, groups: list[MoveGroup]) -> None:
    hand = position.hands[position.leader]
    most = most_led(position)
    for rank in position.law.ranks:
        cards = rank & hand
        if cards:
            groups.append(MoveGroup(_ATTACK, cards, NO_CARD, 1, min(most, size_of(cards))))


def _add_defences(position: Position, groups: list[MoveGroup]) -> None:
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    while uncovered:
        low: int = uncovered & -uncovered
        uncovered ^= low
        target = low.bit_length() - 1
        cards = beaten_by[target] & hand
        if cards:
            groups.append(MoveGroup(_BEAT, cards, target, 1, 1))
    if position.law.transfer:
        _add_transfers(position, groups)
    groups.append(_TAKE)


def _add_transfers(position: Position, groups: list[MoveGroup]) -> None:
    cards = transferable(position)
    if cards:
        most = min(most_transferred(position), size_of(cards))
        groups.append(MoveGroup(_TRANSFER, cards, NO_CARD, 1, most))
    trumps = showable(position)
    if trumps:
        groups.append(MoveGroup(_SHOW, trumps, NO_CARD, 1, 1))


def _add_throw_ins(position: Position, seat: int, groups: list[MoveGroup]) -> None:
    at_turn = attackers_at_turn(position) & SEAT_BITS[seat]
    fitting = position.hands[seat] & position.ranks if at_turn else 0
    if fitting:
        _add_fitting(_THROW_IN, fitting, most_thrown(position), groups)
    if at_turn:
        groups.append(_PASS)
    _add_retracts(position, seat, groups)
    if fitting:
        _add_fitting(_DUMP, fitting, most_dumped(position), groups)


def _add_retracts(position: Position, seat: int, groups: list[MoveGroup]) -> None:
    if position.law.retract and position.thrown:
        cards = retractable(position, seat)
        if cards:
            groups.append(MoveGroup(_RETRACT, cards, NO_CARD, 1, 1))


def _add_fitting(kind: MoveKind, cards: Mask, most: int, groups: list[MoveGroup]) -> None:
    if most > 0:
        groups.append(MoveGroup(kind, cards, NO_CARD, 1, min(most, size_of(cards))))


def most_led(position: Position) -> int:
    """Return how many cards of one rank may be led at once (rules.md, 3.1)."""
    return position.limit if position.law.lead_many else 1


def most_thrown(position: Position) -> int:
    """Return how many cards may be thrown in at once, 0 or less for none (rules.md, 4.2)."""
    room = position.limit - len(position.attacks)
    return room if room <= 0 or position.law.throw_many else 1


def most_dumped(position: Position) -> int:
    """Return how many cards may be dumped now, 0 or less for none (rules.md, 4.9)."""
    if not position.law.dump_may or position.uncovered or position.taking:
        return 0
    return dump_room(position)


def dump_room(position: Position) -> int:
    """Return how many more cards may be dumped: dumped cards count as if thrown in."""
    dumped = sum([size_of(cards) for _, cards in position.dumps])
    return position.limit - len(position.attacks) - dumped


def retractable(position: Position, seat: int) -> Mask:
    """Return the cards on the table that `seat` may take back (rules.md, 4.8)."""
    if not position.law.retract or position.taking:
        return 0
    free = position.thrown & position.uncovered & ~position.retracted
    own: Mask = 0
    for card, layer in position.attacks.items():
        if layer == seat:
            own |= BIT[card]
    return free & own


def may_claim(position: Position, seat: int) -> bool:
    """Return whether `seat` may demand a new deal (rules.md, 2.6)."""
    if position.bouts or position.forfeited or position.moved & SEAT_BITS[seat]:
        return False
    hand = position.hands[seat]
    if size_of(hand) != HAND_SIZE:
        return False
    return any(not hand & ~uniform for uniform in position.law.uniform_hands)
