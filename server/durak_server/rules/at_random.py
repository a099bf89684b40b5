"""Playing one of all legal moves, each as likely as the other, without listing them.

What is legal comes from the same facts as the groups of `legal`: each of their moves has an equal
share of the dice. All this is done for every move of a random deal, so nothing is built or looked
at that is not needed. Each function returns the `first_to_act` after the move, or NOBODY.
"""

from collections.abc import Callable
from typing import TypeAlias

from durak_server.rules import actions, effects
from durak_server.rules.cards import (
    FOUR_SUITS,
    JOKERS,
    PLAIN_CARDS,
    Mask,
    lowest_card,
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
    SUBSETS,
    nth_card,
    nth_subset,
)
from durak_server.rules.position import Position
from durak_server.rules.settle import settle
from durak_server.rules.transfers import most_transferred, showable, transferable

Fall: TypeAlias = Callable[[], float]
"""Throws the dice: a number from 0 to below 1."""


def play_lead(position: Position, fall: Fall) -> int:
    """Play a move of the leader, who opens the bout."""
    hand = position.hands[position.leader]
    singles = size_of(hand)
    law = position.law
    total = singles
    plain = hand
    if law.has_rare_leads:
        plain &= PLAIN_CARDS
        total += _count_rare_leads(position, hand)
    if law.lead_many and position.limit > 1:
        total += _count_many(plain, position.limit)
    index = int(fall() * total)
    if index >= singles:
        return _play_one_of_many(position, hand, index - singles)
    while index:  # as `nth_card` does
        hand &= hand - 1
        index -= 1
    effects.lead(position, position.leader, hand & -hand)
    return position.defender


def _count_many(hand: Mask, most: int) -> int:
    """Return how many leads of two to `most` cards of one rank a hand without jokers has."""
    # A card is in each of these if one of its rank is in the next suit, the second, the third.
    first = hand & hand >> 13
    second = hand & hand >> 26
    third = hand & hand >> 39
    pairs = size_of(first) + size_of(second) + size_of(third)
    if pairs < 3 or most < 3:
        return pairs
    triples = size_of(first & second) + size_of(first & third) + size_of(second & third)
    return pairs + triples + (size_of(first & second & third) if most > 3 else 0)


def _play_one_of_many(position: Position, hand: Mask, index: int) -> int:
    """Play one of the leads of two cards or more, or what comes after them."""
    ways = SUBSETS[most_led(position)]
    ranks = ranks_repeated(hand)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        cards = hand & rank * FOUR_SUITS
        size = size_of(cards)
        number = ways[size] - size
        if index < number:
            return actions.lead(position, nth_subset(cards, 2, index), None)
        index -= number
    if index < _count_joker_pairs(position, hand):
        return actions.lead(position, JOKERS, None)
    return actions.claim_redeal(position, position.leader, None)


def _count_rare_leads(position: Position, hand: Mask) -> int:
    claims = position.law.uniform_hands and may_claim(position, position.leader)
    return _count_joker_pairs(position, hand) + (1 if claims else 0)


def _count_joker_pairs(position: Position, hand: Mask) -> int:
    return 1 if hand & JOKERS == JOKERS and most_led(position) >= 2 else 0


def play_defence(position: Position, fall: Fall) -> int:
    """Play a move of the defender, before whom a card lies uncovered."""
    seat = position.defender
    hand = position.hands[seat]
    beaten_by = position.law.beaten_by[position.trump]
    beats = 0
    uncovered = position.uncovered
    while True:
        others = uncovered - 1
        target = size_of(uncovered ^ others) - 1
        cards = beaten_by[target] & hand
        number = size_of(cards)
        beats += number
        uncovered &= others
        if not uncovered:
            break
    total = beats + 1
    if position.law.has_more_defences:
        total += _count_transfers(position) + _count_last(position, seat)
    index = int(fall() * total)
    if index == beats:
        effects.take(position)
        return settle(position, None)
    if index > beats:
        return _play_other_defence(position, index - beats - 1)
    index -= beats - number
    if index < 0:
        return _play_beat(position, index + beats - number)
    while index:  # as `nth_card` does
        cards &= cards - 1
        index -= 1
    effects.beat(position, target, size_of(cards ^ cards - 1) - 1)
    return settle(position, None)


def _play_other_defence(position: Position, index: int) -> int:
    transfers = _count_transfers(position)
    if index < transfers:
        return _play_transfer(position, index)
    return _play_last(position, position.defender, index - transfers)


def _play_beat(position: Position, index: int) -> int:
    seat = position.defender
    hand = position.hands[seat]
    beaten_by = position.law.beaten_by[position.trump]
    uncovered = position.uncovered
    while True:
        low = uncovered & -uncovered
        uncovered ^= low
        target = size_of(low - 1)
        cards = beaten_by[target] & hand
        number = size_of(cards)
        if index < number:
            return actions.beat(position, target, lowest_card(nth_card(cards, index)), None)
        index -= number


def _count_transfers(position: Position) -> int:
    if not position.law.transfer:
        return 0
    cards = transferable(position)
    number = SUBSETS[most_transferred(position)][size_of(cards)] if cards else 0
    return number + size_of(showable(position))


def _play_transfer(position: Position, index: int) -> int:
    cards = transferable(position)
    number = SUBSETS[most_transferred(position)][size_of(cards)] if cards else 0
    if index < number:
        return actions.transfer(position, nth_subset(cards, 1, index), None)
    trump = nth_card(showable(position), index - number)
    return actions.show(position, lowest_card(trump), None)


def play_throw_in(position: Position, seat: int, fall: Fall) -> int:
    """Play a move of an attacker, for whom the bout waits."""
    fitting = position.hands[seat] & position.ranks
    if not fitting and not position.law.has_last_moves:
        effects.pass_turn(position, seat)
        return settle(position, None)
    size = size_of(fitting)
    throws = SUBSETS[most_thrown(position)][size]
    total = throws + 1
    if position.law.has_last_moves:
        total += _count_last(position, seat)
    index = int(fall() * total)
    if index < throws:
        one = index < size
        cards = nth_card(fitting, index) if one else nth_subset(fitting, 1, index)
        effects.throw_in(position, seat, cards)
        return settle(position, None)
    if index == throws:
        effects.pass_turn(position, seat)
        return settle(position, None)
    return _play_last(position, seat, index - throws - 1)


def _count_last(position: Position, seat: int) -> int:
    """Return how many moves come last: taking back, dumping, claiming a new deal."""
    total = _count_retracts(position, seat) + _count_dumps(position, seat)
    return total + 1 if position.law.uniform_hands and may_claim(position, seat) else total


def _play_last(position: Position, seat: int, index: int) -> int:
    """Play one of the moves that come last."""
    retracts = _count_retracts(position, seat)
    if index < retracts:
        card = nth_card(retractable(position, seat), index)
        return actions.retract(position, seat, lowest_card(card), None)
    index -= retracts
    if index < _count_dumps(position, seat):
        cards = nth_subset(position.hands[seat] & position.ranks, 1, index)
        return actions.dump(position, seat, cards, None)
    return actions.claim_redeal(position, seat, None)


def _count_retracts(position: Position, seat: int) -> int:
    return size_of(retractable(position, seat)) if position.thrown else 0


def _count_dumps(position: Position, seat: int) -> int:
    most = 0 if seat == position.defender else most_dumped(position)
    return SUBSETS[most][size_of(position.hands[seat] & position.ranks)] if most > 0 else 0
