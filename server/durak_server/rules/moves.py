"""What a player can do: single moves, and sets of them (rules.md, 6.1)."""

from collections.abc import Iterator
from enum import IntEnum
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from durak_server.rules.cards import BIT, NO_CARD, Card, Mask, cards_of, mask_of


class MoveKind(IntEnum):
    """What a move is meant to do; also the order in which moves are listed."""

    ATTACK = 1
    THROW_IN = 2
    BEAT = 3
    TRANSFER = 4
    SHOW = 5
    TAKE = 6
    PASS = 7
    RETRACT = 8
    DUMP = 9
    CLAIM_REDEAL = 10


class Move(NamedTuple):
    """One move.

    `cards` is the set of cards laid, covered with, shown, taken back or dumped; empty for TAKE,
    PASS and CLAIM_REDEAL. `target` is the attack card that BEAT covers, else NO_CARD.
    """

    kind: MoveKind
    cards: Mask = 0
    target: Card = NO_CARD


class MoveGroup(NamedTuple):
    """All moves of one kind and target that use `min_cards` to `max_cards` of `cards`.

    A single list of the moves themselves could be astronomically long; this never is.
    """

    kind: MoveKind
    cards: Mask
    target: Card
    min_cards: int
    max_cards: int


def _counts(size: int) -> tuple[tuple[int, ...], ...]:
    rows = []
    for least in range(size + 1):
        totals = [0] * (size + 1)
        for most in range(least, size + 1):
            totals[most] = sum(comb(size, chosen) for chosen in range(least, most + 1))
        rows.append(tuple(totals))
    return tuple(rows)


# _COUNTS[size][least][most]: the ways to choose least to most of so many cards.
_COUNTS: Final = tuple(_counts(size) for size in range(55))


def count(group: MoveGroup) -> int:
    """Return how many moves the group stands for, at least 1."""
    _, cards, _, least, most = group
    return _COUNTS[cards.bit_count()][least][most]


def expand(group: MoveGroup) -> Iterator[Move]:
    """Yield every move of the group: fewest cards first, then in the order of card numbers."""
    cards = cards_of(group.cards)
    for size in range(group.min_cards, group.max_cards + 1):
        for chosen in combinations(cards, size):
            yield Move(group.kind, mask_of(chosen), group.target)


def pick(group: MoveGroup, index: int) -> Move:
    """Return the move at `index`, from 0 to `count(group)` - 1, of `expand(group)`.

    Raises:
        IndexError: the group has no such move.
    """
    kind, cards, target, least, most = group
    if not most and not index:
        return Move(kind)
    if least == 1 and 0 <= index < cards.bit_count():
        while index:
            cards &= cards - 1
            index -= 1
        return Move(kind, cards & -cards, target)
    return Move(kind, _subset(cards_of(cards), least, most, index), target)


def _subset(cards: tuple[Card, ...], least: int, most: int, index: int) -> Mask:
    """Return the subset of `least` to `most` cards at `index`, the smallest subsets first."""
    for size in range(least, most + 1):
        ways = comb(len(cards), size)
        if 0 <= index < ways:
            return _combination(cards, size, index)
        index -= ways
    raise IndexError("the group has no such move")


def _combination(cards: tuple[Card, ...], size: int, index: int) -> Mask:
    """Return the combination of `size` cards at `index` in lexicographic order."""
    chosen = 0
    left = len(cards)
    for card in cards:
        if not size:
            break
        left -= 1
        with_card = comb(left, size - 1)
        if index < with_card:
            chosen |= BIT[card]
            size -= 1
        else:
            index -= with_card
    return chosen
