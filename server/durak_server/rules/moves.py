"""What a player can do: single moves, and sets of them (rules.md, 6.1)."""

from collections.abc import Iterator
from enum import IntEnum
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from durak_server.rules.cards import NO_CARD, Card, Mask, cards_of, mask_of, size_of

# The numbers of the kinds, for code that runs for every move: a look-up in an enum is slow.
ATTACK: Final = 1
THROW_IN: Final = 2
BEAT: Final = 3
TRANSFER: Final = 4
SHOW: Final = 5
TAKE: Final = 6
PASS: Final = 7
RETRACT: Final = 8
DUMP: Final = 9
CLAIM_REDEAL: Final = 10


class MoveKind(IntEnum):
    """What a move is meant to do; also the order in which moves are listed."""

    ATTACK = ATTACK
    THROW_IN = THROW_IN
    BEAT = BEAT
    TRANSFER = TRANSFER
    SHOW = SHOW
    TAKE = TAKE
    PASS = PASS
    RETRACT = RETRACT
    DUMP = DUMP
    CLAIM_REDEAL = CLAIM_REDEAL


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


_SIZES: Final = range(55)
_CHOICES: Final = tuple(tuple(comb(size, chosen) for chosen in _SIZES) for size in _SIZES)
"""By size and number, the ways to choose so many cards of a set."""
SUBSETS: Final = tuple(tuple(sum(ways[1 : most + 1]) for ways in _CHOICES) for most in _SIZES)
"""By bound and size of the set, the ways to choose at least one card and at most so many."""


def count(group: MoveGroup) -> int:
    """Return how many moves the group stands for, at least 1."""
    _, cards, _, least, most = group
    if not least:
        return 1 + SUBSETS[most][size_of(cards)]
    return SUBSETS[most][size_of(cards)] - SUBSETS[least - 1][size_of(cards)]


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
    if not 0 <= index < count(group):
        raise IndexError("the group has no such move")
    return Move(group.kind, nth_subset(group.cards, group.min_cards, index), group.target)


def nth_card(cards: Mask, index: int) -> Mask:
    """Return the card at `index`, lowest number first, as a set."""
    while index:
        cards &= cards - 1
        index -= 1
    return cards & -cards


def nth_subset(cards: Mask, least: int, index: int) -> Mask:
    """Return the subset of at least `least` cards at `index`, in the order of `expand`."""
    left = size_of(cards)
    size = least
    while index >= _CHOICES[left][size]:
        index -= _CHOICES[left][size]
        size += 1
    chosen: Mask = 0
    while size:
        low = cards & -cards
        cards ^= low
        left -= 1
        with_card = _CHOICES[left][size - 1]
        if index < with_card:
            chosen |= low
            size -= 1
        else:
            index -= with_card
    return chosen
