"""The moves a seat may make now, as groups in a pinned order.

Groups come in the order of MoveKind, then of the target, then of rank; `expand` pins the order
inside a group.
"""

from typing import Final

from durak_server.rules.cards import BIT, NO_CARD, Mask
from durak_server.rules.law import HAND_SIZE, SEAT_BITS
from durak_server.rules.moves import MoveGroup, MoveKind
from durak_server.rules.position import Position
from durak_server.rules.seating import attackers_at_turn
from durak_server.rules.transfers import (
    defence_is_open,
    hand_room,
    may_be_transferred,
    rank_led,
    transfer_room,
    transfer_target,
)

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
    most = position.limit if position.law.lead_many else 1
    for rank in position.law.ranks:
        cards = rank & hand
        if cards:
            groups.append(
                MoveGroup(MoveKind.ATTACK, cards, NO_CARD, 1, min(most, cards.bit_count()))
            )


def _add_defences(position: Position, groups: list[MoveGroup]) -> None:
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    while uncovered:
        low = uncovered & -uncovered
        uncovered ^= low
        target = low.bit_length() - 1
        cards = beaten_by[target] & hand
        if cards:
            groups.append(MoveGroup(MoveKind.BEAT, cards, target, 1, 1))
    if position.law.transfer and may_be_transferred(position) and defence_is_open(position):
        _add_transfers(position, groups)
    groups.append(_TAKE)


def _add_transfers(position: Position, groups: list[MoveGroup]) -> None:
    cards = rank_led(position) & position.hands[position.defender]
    target = transfer_target(position)
    if not cards or target < 0:
        return
    most = min(transfer_room(position, target), cards.bit_count())
    if most > 0:
        groups.append(MoveGroup(MoveKind.TRANSFER, cards, NO_CARD, 1, most))
    if position.law.transfer_show and hand_room(position, target) >= 0:
        trumps = cards & position.law.trumps[position.trump] & ~position.shown
        if trumps:
            groups.append(MoveGroup(MoveKind.SHOW, trumps, NO_CARD, 1, 1))


def _add_throw_ins(position: Position, seat: int, groups: list[MoveGroup]) -> None:
    law = position.law
    at_turn = attackers_at_turn(position) & SEAT_BITS[seat]
    fitting = position.hands[seat] & position.ranks if at_turn else 0
    if fitting:
        _add_fitting(position, MoveKind.THROW_IN, fitting, law.throw_many, groups)
    if at_turn:
        groups.append(_PASS)
    _add_retracts(position, seat, groups)
    if fitting and may_dump(position):
        _add_fitting(position, MoveKind.DUMP, fitting, True, groups)


def _add_retracts(position: Position, seat: int, groups: list[MoveGroup]) -> None:
    if position.law.retract and position.thrown:
        cards = retractable(position, seat)
        if cards:
            groups.append(MoveGroup(MoveKind.RETRACT, cards, NO_CARD, 1, 1))


def _add_fitting(
    position: Position, kind: MoveKind, cards: Mask, many: bool, groups: list[MoveGroup]
) -> None:
    room = dump_room(position) if kind is MoveKind.DUMP else position.limit - len(position.attacks)
    if room > 0:
        most = min(room, cards.bit_count()) if many else 1
        groups.append(MoveGroup(kind, cards, NO_CARD, 1, most))


def may_dump(position: Position) -> bool:
    """Return whether attackers may dump now: all is covered, nobody takes (rules.md, 4.9)."""
    return position.law.dump_may and not position.uncovered and not position.taking


def dump_room(position: Position) -> int:
    """Return how many more cards may be dumped: dumped cards count as if thrown in."""
    dumped = sum(cards.bit_count() for _, cards in position.dumps)
    return position.limit - len(position.attacks) - dumped


def retractable(position: Position, seat: int) -> Mask:
    """Return the cards on the table that `seat` may take back (rules.md, 4.8)."""
    if not position.law.retract or position.taking:
        return 0
    free = position.thrown & position.uncovered & ~position.retracted
    own = 0
    for card, layer in zip(position.attacks, position.layers, strict=True):
        if layer == seat:
            own |= BIT[card]
    return free & own


def may_claim(position: Position, seat: int) -> bool:
    """Return whether `seat` may demand a new deal (rules.md, 2.6)."""
    if position.bouts or position.moved & SEAT_BITS[seat]:
        return False
    hand = position.hands[seat]
    return hand.bit_count() == HAND_SIZE and any(
        not hand & ~uniform for uniform in position.law.uniform_hands
    )
