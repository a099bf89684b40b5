"""Why a move is forbidden, as precisely as can be told (rules.md, 6.3).

`check` allows exactly what `legal_moves` lists. The order of the checks is the order in which a
dealer at the table would object.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from durak_server.rules.cards import (
    BIT,
    NO_CARD,
    Card,
    Mask,
    card_name,
    lowest_card,
    mask_of,
    size_of,
)
from durak_server.rules.law import ALL_CARDS, SAME_RANK, SEAT_BITS
from durak_server.rules.legal import dump_room, may_claim, retractable
from durak_server.rules.moves import Move, MoveKind
from durak_server.rules.position import Position
from durak_server.rules.refusals import Reason, Refusal
from durak_server.rules.seating import attackers_at_turn
from durak_server.rules.transfers import hand_room, rank_led, transfer_target

_Found: TypeAlias = Refusal | None


def make_move(kind: MoveKind, cards: Sequence[Card], target: Card = NO_CARD) -> Move | Refusal:
    """Return the move that names these cards, or why there is no such move.

    Whatever the position, a move names real cards, and none twice.
    """
    for card in cards:
        if not 0 <= card < len(BIT):
            return _refusal(Reason.MALFORMED_MOVE)
        if cards.count(card) > 1:
            return _refusal(Reason.DUPLICATE_CARD, card=card_name(card))
    return Move(kind, mask_of(cards), target)


def check(position: Position, seat: int, move: Move) -> Refusal | None:
    """Return why `seat` may not make this move now, None if it may."""
    if position.result is not None:
        return _refusal(Reason.DEAL_OVER)
    if not 0 <= seat < position.law.seats or not position.in_play & SEAT_BITS[seat]:
        return _refusal(Reason.NOT_IN_PLAY, seat=seat)
    return _malformed(move) or _CHECKS[move.kind](position, seat, move)


def _malformed(move: Move) -> _Found:
    if not 0 <= move.cards <= ALL_CARDS:
        return _refusal(Reason.MALFORMED_MOVE)
    if move.kind in (MoveKind.TAKE, MoveKind.PASS, MoveKind.CLAIM_REDEAL):
        if move.cards:
            return _refusal(Reason.MALFORMED_MOVE)
    elif not move.cards:
        return _refusal(Reason.NO_CARDS_NAMED)
    if move.kind is not MoveKind.BEAT and move.target != NO_CARD:
        return _refusal(Reason.MALFORMED_MOVE)
    single = move.kind in (MoveKind.BEAT, MoveKind.SHOW, MoveKind.RETRACT)
    if single and size_of(move.cards) > 1:
        return _refusal(Reason.ONE_CARD_ONLY)
    return None


def _attack(position: Position, seat: int, move: Move) -> _Found:
    if seat != position.leader:
        return _refusal(Reason.NOT_ATTACKER, leader=position.leader)
    if position.attacks:
        return _refusal(Reason.ALREADY_LED)
    cards = move.cards
    if cards & ~SAME_RANK[lowest_card(cards)]:
        return _not_in_hand(position, seat, cards) or _refusal(Reason.MIXED_RANKS)
    if size_of(cards) > 1 and not position.law.lead_many:
        return _not_in_hand(position, seat, cards) or _refusal(Reason.SINGLE_LEAD_ONLY)
    return _not_in_hand(position, seat, cards) or _over(position.limit, cards)


def _throw_in(position: Position, seat: int, move: Move) -> _Found:
    cards = move.cards
    refusal = _not_asked(position, seat, cards)
    if refusal is not None:
        return refusal
    if size_of(cards) > 1 and not position.law.throw_many:
        return _refusal(Reason.SINGLE_THROW_ONLY)
    room = position.limit - len(position.attacks)
    return _rank_not_on_table(position, cards) or _over(room, cards)


def _beat(position: Position, seat: int, move: Move) -> _Found:
    refusal = _not_defending(position, seat) or _not_in_hand(position, seat, move.cards)
    if refusal is not None:
        return refusal
    if move.target not in position.attacks:
        name = card_name(move.target) if 0 <= move.target < len(BIT) else "no card"
        return _refusal(Reason.TARGET_NOT_ON_TABLE, target=name)
    if not position.uncovered & BIT[move.target]:
        return _refusal(Reason.TARGET_COVERED, target=card_name(move.target))
    if not position.law.beaten_by[position.trump][move.target] & move.cards:
        names = {"card": card_name(lowest_card(move.cards)), "target": card_name(move.target)}
        return _refusal(Reason.DOES_NOT_BEAT, **names)
    return None


def _transfer(position: Position, seat: int, move: Move) -> _Found:
    refusal = _not_transferable(position, seat, move.cards)
    if refusal is not None:
        return refusal
    if size_of(move.cards) > 1 and not position.law.transfer_many:
        return _refusal(Reason.SINGLE_TRANSFER_ONLY)
    target = transfer_target(position)
    if target < 0:
        return _refusal(Reason.NO_TRANSFER_TARGET)
    number = size_of(move.cards)
    if number > hand_room(position, target):
        return _next_hand_too_small(position, target, number)
    return None


def _show(position: Position, seat: int, move: Move) -> _Found:
    if position.law.transfer and not position.law.transfer_show:
        return _refusal(Reason.SHOW_DISABLED)
    refusal = _not_transferable(position, seat, move.cards)
    if refusal is not None:
        return refusal
    card = card_name(lowest_card(move.cards))
    if not move.cards & position.law.trumps[position.trump]:
        return _refusal(Reason.NOT_TRUMP, card=card)
    if move.cards & position.shown:
        return _refusal(Reason.ALREADY_SHOWN, card=card)
    target = transfer_target(position)
    if target < 0:
        return _refusal(Reason.NO_TRANSFER_TARGET)
    if hand_room(position, target) < 0:
        return _next_hand_too_small(position, target, 0)
    return None


def _take(position: Position, seat: int, _move: Move) -> _Found:
    refusal = _not_defending(position, seat)
    if refusal is None and not position.uncovered:
        return _refusal(Reason.NOTHING_TO_TAKE)
    return refusal


def _pass(position: Position, seat: int, _move: Move) -> _Found:
    if not position.attacks and seat == position.leader:
        return _refusal(Reason.MUST_ATTACK)
    return _not_asked(position, seat, 0)


def _retract(position: Position, seat: int, move: Move) -> _Found:
    if not position.law.retract:
        return _refusal(Reason.RETRACT_DISABLED)
    card = lowest_card(move.cards)
    if card not in position.attacks:
        return _refusal(Reason.TARGET_NOT_ON_TABLE, target=card_name(card))
    if position.attacks[card] != seat:
        return _refusal(Reason.NOT_YOUR_CARD, card=card_name(card))
    if not move.cards & retractable(position, seat):
        return _refusal(Reason.CARD_IS_FINAL, card=card_name(card))
    return None


def _dump(position: Position, seat: int, move: Move) -> _Found:
    if not position.law.dump_may:
        return _refusal(Reason.DUMP_DISABLED)
    refusal = _not_asked(position, seat, move.cards)
    if refusal is not None:
        return refusal
    if position.taking:
        return _refusal(Reason.DEFENDER_ALREADY_TOOK)
    if position.uncovered:
        return _refusal(Reason.NOT_ALL_COVERED)
    return _rank_not_on_table(position, move.cards) or _over(dump_room(position), move.cards)


def _claim(position: Position, seat: int, _move: Move) -> _Found:
    if not position.law.uniform_hands:
        return _refusal(Reason.REDEAL_DISABLED)
    if position.bouts or position.forfeited or position.moved & SEAT_BITS[seat]:
        return _refusal(Reason.REDEAL_TOO_LATE)
    return None if may_claim(position, seat) else _refusal(Reason.HAND_NOT_UNIFORM)


_CHECKS: Final[dict[MoveKind, Callable[[Position, int, Move], _Found]]] = {
    MoveKind.ATTACK: _attack,
    MoveKind.THROW_IN: _throw_in,
    MoveKind.BEAT: _beat,
    MoveKind.TRANSFER: _transfer,
    MoveKind.SHOW: _show,
    MoveKind.TAKE: _take,
    MoveKind.PASS: _pass,
    MoveKind.RETRACT: _retract,
    MoveKind.DUMP: _dump,
    MoveKind.CLAIM_REDEAL: _claim,
}


def _not_asked(position: Position, seat: int, cards: Mask) -> _Found:
    """Return why this seat may neither throw in, pass nor dump now."""
    if not position.attacks:
        return _refusal(Reason.NO_ATTACK_YET)
    bit = SEAT_BITS[seat]
    if not position.attackers & bit:
        return _refusal(Reason.NOT_ALLOWED_TO_THROW)
    if not position.hands[seat]:
        return _refusal(Reason.NO_CARDS_LEFT)
    refusal = _not_in_hand(position, seat, cards)
    if refusal is not None:
        return refusal
    if position.law.after_covered and position.uncovered and not position.taking:
        return _refusal(Reason.NOT_ALL_COVERED)
    if position.passed & bit:
        return _refusal(Reason.ALREADY_PASSED)
    return None if attackers_at_turn(position) & bit else _refusal(Reason.NOT_YOUR_PRIORITY)


def _not_defending(position: Position, seat: int) -> _Found:
    if not position.attacks:
        return _refusal(Reason.NO_ATTACK_YET)
    if seat != position.defender:
        return _refusal(Reason.NOT_DEFENDER, defender=position.defender)
    return _refusal(Reason.DEFENDER_ALREADY_TOOK) if position.taking else None


def _not_transferable(position: Position, seat: int, cards: Mask) -> _Found:
    """Return why the attack cannot be transferred by this seat with these cards at all."""
    if not position.law.transfer:
        return _refusal(Reason.TRANSFER_DISABLED)
    if not position.attacks:
        return _refusal(Reason.NO_ATTACK_YET)
    if cards & ~rank_led(position):
        return _refusal(
            Reason.RANK_MISMATCH, card=card_name(lowest_card(cards & ~rank_led(position)))
        )
    refusal = _not_defending(position, seat)
    if refusal is not None:
        return refusal
    if position.uncovered != position.on_table:
        return _refusal(Reason.DEFENCE_STARTED)
    if not position.law.transfer_first_bout and not position.bouts:
        return _refusal(Reason.FIRST_BOUT_NO_TRANSFER)
    return _not_in_hand(position, seat, cards)


def _next_hand_too_small(position: Position, target: int, added: int) -> Refusal:
    return _refusal(
        Reason.NEXT_HAND_TOO_SMALL,
        next=target,
        hand=size_of(position.hands[target]),
        cards=len(position.attacks) + added,
    )


def _not_in_hand(position: Position, seat: int, cards: Mask) -> _Found:
    missing = cards & ~position.hands[seat]
    return _refusal(Reason.NOT_IN_HAND, card=card_name(lowest_card(missing))) if missing else None


def _rank_not_on_table(position: Position, cards: Mask) -> _Found:
    strange = cards & ~position.ranks
    return (
        _refusal(Reason.RANK_NOT_ON_TABLE, card=card_name(lowest_card(strange)))
        if strange
        else None
    )


def _over(room: int, cards: Mask) -> _Found:
    number = size_of(cards)
    return _refusal(Reason.OVER_LIMIT, room=max(room, 0), cards=number) if number > room else None


def _refusal(reason: Reason, **facts: object) -> Refusal:
    return Refusal(reason, tuple((name, str(value)) for name, value in facts.items()))
