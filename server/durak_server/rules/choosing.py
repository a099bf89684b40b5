"""One legal move by its number, without listing the others.

What is legal comes from the same facts as the groups of `legal`, in the same order. Everything
here is asked for every move of a random deal, so nothing is built that is not needed.
"""

from typing import TypeAlias

from durak_server.rules.cards import FOUR_SUITS, JOKERS, NO_CARD, Card, Mask, ranks_of, size_of
from durak_server.rules.legal import (
    may_claim,
    most_dumped,
    most_led,
    most_thrown,
    retractable,
)
from durak_server.rules.moves import (
    ATTACK,
    BEAT,
    CLAIM_REDEAL,
    DUMP,
    PASS,
    RETRACT,
    SHOW,
    SUBSETS,
    TAKE,
    THROW_IN,
    TRANSFER,
    nth_card,
    nth_subset,
)
from durak_server.rules.position import Position
from durak_server.rules.transfers import most_transferred, showable, transferable

PlainMove: TypeAlias = tuple[int, Mask, Card]
"""A move as numbers: what MoveKind is worth, and the fields of Move."""


def count_moves(position: Position, seat: int) -> int:
    """Return how many moves `seat` has, which the deal must be waiting for (`to_act`)."""
    if not position.attacks:
        total = _count_leads(position)
    elif seat == position.defender:
        total = 1 + _count_beats(position)
        if position.law.transfer:
            total += _count_transfers(position)
    else:
        total = 1
        fitting = position.hands[seat] & position.ranks
        if fitting:
            total += SUBSETS[size_of(fitting)][most_thrown(position)]
            if position.law.dump_may:
                total += _count_dumps(position, fitting)
    if position.law.retract and position.thrown:
        total += size_of(retractable(position, seat))
    if position.law.uniform_hands and may_claim(position, seat):
        total += 1
    return total


def nth_move(position: Position, seat: int, index: int) -> PlainMove:
    """Return the move at `index`, from 0 to `count_moves(position, seat)` - 1.

    It is the one that counting through the groups of `legal_moves` arrives at.
    """
    if not position.attacks:
        return _nth_lead(position, index)
    if seat == position.defender:
        return _nth_defence(position, index)
    return _nth_throw_in(position, seat, index)


def _count_leads(position: Position) -> int:
    hand = position.hands[position.leader]
    most = most_led(position)
    ranks = ranks_of(hand)
    total = SUBSETS[size_of(hand & JOKERS)][most] if hand & JOKERS else 0
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        total += SUBSETS[size_of(hand & rank * FOUR_SUITS)][most]
    return total


def _nth_lead(position: Position, index: int) -> PlainMove:
    hand = position.hands[position.leader]
    most = most_led(position)
    ranks = ranks_of(hand)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        cards = hand & rank * FOUR_SUITS
        ways = SUBSETS[size_of(cards)][most]
        if index < ways:
            return ATTACK, nth_subset(cards, 1, index), NO_CARD
        index -= ways
    jokers = hand & JOKERS
    if index < SUBSETS[size_of(jokers)][most]:
        return ATTACK, nth_subset(jokers, 1, index), NO_CARD
    return CLAIM_REDEAL, 0, NO_CARD


def _count_beats(position: Position) -> int:
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    total = 0
    while uncovered:
        low: int = uncovered & -uncovered
        uncovered ^= low
        total += size_of(beaten_by[low.bit_length() - 1] & hand)
    return total


def _nth_defence(position: Position, index: int) -> PlainMove:
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    while uncovered:
        low: int = uncovered & -uncovered
        uncovered ^= low
        target = low.bit_length() - 1
        cards = beaten_by[target] & hand
        ways = size_of(cards)
        if index < ways:
            return BEAT, nth_card(cards, index), target
        index -= ways
    if position.law.transfer:
        ways = _count_transfers(position)
        if index < ways:
            return _nth_transfer(position, index)
        index -= ways
    if not index:
        return TAKE, 0, NO_CARD
    return _nth_last(position, position.defender, index - 1)


def _count_transfers(position: Position) -> int:
    cards = transferable(position)
    ways = SUBSETS[size_of(cards)][most_transferred(position)] if cards else 0
    return ways + size_of(showable(position))


def _nth_transfer(position: Position, index: int) -> PlainMove:
    cards = transferable(position)
    ways = SUBSETS[size_of(cards)][most_transferred(position)] if cards else 0
    if index < ways:
        return TRANSFER, nth_subset(cards, 1, index), NO_CARD
    return SHOW, nth_card(showable(position), index - ways), NO_CARD


def _nth_throw_in(position: Position, seat: int, index: int) -> PlainMove:
    fitting = position.hands[seat] & position.ranks
    ways = SUBSETS[size_of(fitting)][most_thrown(position)]
    if index < ways:
        return THROW_IN, nth_subset(fitting, 1, index), NO_CARD
    index -= ways
    return _nth_last(position, seat, index - 1) if index else (PASS, 0, NO_CARD)


def _count_dumps(position: Position, fitting: Mask) -> int:
    most = most_dumped(position)
    return SUBSETS[size_of(fitting)][most] if most > 0 else 0


def _nth_last(position: Position, seat: int, index: int) -> PlainMove:
    """Return one of the moves that come last: taking back, dumping, claiming a new deal."""
    if position.law.retract and position.thrown:
        cards = retractable(position, seat)
        if index < size_of(cards):
            return RETRACT, nth_card(cards, index), NO_CARD
        index -= size_of(cards)
    if position.law.dump_may and seat != position.defender:
        fitting = position.hands[seat] & position.ranks
        ways = _count_dumps(position, fitting)
        if index < ways:
            return DUMP, nth_subset(fitting, 1, index), NO_CARD
    return CLAIM_REDEAL, 0, NO_CARD
