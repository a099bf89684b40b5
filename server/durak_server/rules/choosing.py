"""One of all legal moves, each as likely as the other, without listing them.

What is legal comes from the same facts as the groups of `legal`: each of their moves has an equal
share of the dice. All this is done for every move of a random deal, so nothing is built or looked
at that is not needed.
"""

from collections.abc import Callable
from typing import TypeAlias

from durak_server.rules.cards import (
    FOUR_SUITS,
    JOKERS,
    NO_CARD,
    Card,
    Mask,
    ranks_repeated,
    size_of,
)
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

Fall: TypeAlias = Callable[[], float]
"""Throws the dice: a number from 0 to below 1."""


def choose_lead(position: Position, fall: Fall) -> PlainMove:
    """Return a move of the leader, who opens the bout."""
    hand = position.hands[position.leader]
    singles = size_of(hand)
    total = singles + _count_many(position, hand)
    if position.law.has_rare_leads:
        total += _count_rare_leads(position, hand)
    index = int(fall() * total)
    if index < singles:
        return ATTACK, nth_card(hand, index), NO_CARD
    return _nth_of_many(position, hand, index - singles)


def _count_many(position: Position, hand: Mask) -> int:
    """Return how many leads there are of two cards or more of one rank."""
    ranks = ranks_repeated(hand)
    if not ranks:
        return 0
    ways = SUBSETS[most_led(position)]
    total = 0
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        size = size_of(hand & rank * FOUR_SUITS)
        total += ways[size] - size
    return total


def _nth_of_many(position: Position, hand: Mask, index: int) -> PlainMove:
    """Return one of the leads of two cards or more, or what comes after them."""
    ways = SUBSETS[most_led(position)]
    ranks = ranks_repeated(hand)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        cards = hand & rank * FOUR_SUITS
        size = size_of(cards)
        number = ways[size] - size
        if index < number:
            return ATTACK, nth_subset(cards, 2, index), NO_CARD
        index -= number
    if index < _count_joker_pairs(position, hand):
        return ATTACK, JOKERS, NO_CARD
    return CLAIM_REDEAL, 0, NO_CARD


def _count_rare_leads(position: Position, hand: Mask) -> int:
    claims = position.law.uniform_hands and may_claim(position, position.leader)
    return _count_joker_pairs(position, hand) + (1 if claims else 0)


def _count_joker_pairs(position: Position, hand: Mask) -> int:
    return 1 if hand & JOKERS == JOKERS and most_led(position) >= 2 else 0


def choose_defence(position: Position, fall: Fall) -> PlainMove:
    """Return a move of the defender, before whom a card lies uncovered."""
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    cards: Mask = 0
    beats = number = target = 0
    uncovered = position.uncovered
    while uncovered:
        low = uncovered & -uncovered
        uncovered ^= low
        target = size_of(low - 1)
        cards = beaten_by[target] & hand
        number = size_of(cards)
        beats += number
    total = beats + 1
    if position.law.has_more_defences:
        total += _count_transfers(position) + _count_last(position, position.defender)
    index = int(fall() * total)
    before_last = beats - number
    if index < before_last:
        return _nth_beat(position, index)
    if index < beats:
        return BEAT, nth_card(cards, index - before_last), target
    return _nth_other_defence(position, index - beats)


def _nth_other_defence(position: Position, index: int) -> PlainMove:
    if not index:
        return TAKE, 0, NO_CARD
    transfers = _count_transfers(position)
    if index <= transfers:
        return _nth_transfer(position, index - 1)
    return _nth_last(position, position.defender, index - 1 - transfers)


def _nth_beat(position: Position, index: int) -> PlainMove:
    hand = position.hands[position.defender]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    while True:
        low = uncovered & -uncovered
        uncovered ^= low
        target = size_of(low - 1)
        cards = beaten_by[target] & hand
        number = size_of(cards)
        if index < number:
            return BEAT, nth_card(cards, index), target
        index -= number


def _count_transfers(position: Position) -> int:
    if not position.law.transfer:
        return 0
    cards = transferable(position)
    number = SUBSETS[most_transferred(position)][size_of(cards)] if cards else 0
    return number + size_of(showable(position))


def _nth_transfer(position: Position, index: int) -> PlainMove:
    cards = transferable(position)
    number = SUBSETS[most_transferred(position)][size_of(cards)] if cards else 0
    if index < number:
        return TRANSFER, nth_subset(cards, 1, index), NO_CARD
    return SHOW, nth_card(showable(position), index - number), NO_CARD


def choose_throw_in(position: Position, seat: int, fall: Fall) -> PlainMove:
    """Return a move of an attacker, for whom the bout waits."""
    fitting = position.hands[seat] & position.ranks
    if not fitting and not position.law.has_last_moves:
        return PASS, 0, NO_CARD
    size = size_of(fitting)
    throws = SUBSETS[most_thrown(position)][size]
    total = throws + 1
    if position.law.has_last_moves:
        total += _count_last(position, seat)
    index = int(fall() * total)
    if index < throws:
        one = index < size
        cards = nth_card(fitting, index) if one else nth_subset(fitting, 1, index)
        return THROW_IN, cards, NO_CARD
    if index == throws:
        return PASS, 0, NO_CARD
    return _nth_last(position, seat, index - throws - 1)


def _count_last(position: Position, seat: int) -> int:
    """Return how many moves come last: taking back, dumping, claiming a new deal."""
    total = _count_retracts(position, seat) + _count_dumps(position, seat)
    return total + 1 if position.law.uniform_hands and may_claim(position, seat) else total


def _nth_last(position: Position, seat: int, index: int) -> PlainMove:
    """Return one of the moves that come last."""
    retracts = _count_retracts(position, seat)
    if index < retracts:
        return RETRACT, nth_card(retractable(position, seat), index), NO_CARD
    index -= retracts
    if index < _count_dumps(position, seat):
        return DUMP, nth_subset(position.hands[seat] & position.ranks, 1, index), NO_CARD
    return CLAIM_REDEAL, 0, NO_CARD


def _count_retracts(position: Position, seat: int) -> int:
    return size_of(retractable(position, seat)) if position.thrown else 0


def _count_dumps(position: Position, seat: int) -> int:
    most = 0 if seat == position.defender else most_dumped(position)
    return SUBSETS[most][size_of(position.hands[seat] & position.ranks)] if most > 0 else 0
