"""Cards as numbers and sets of cards as bit masks (rules.md, 1.2).

A card is suit * 13 + rank: suits in the order S H D C (the order means nothing in play), ranks
0 = "2" .. 12 = "A". The jokers follow: 52 is red (JKR), 53 is black (JKB). A mask has bit k set
for card k.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from mypy_extensions import i64

Card: TypeAlias = int
Mask: TypeAlias = i64
"""An int to Python; a machine word where this package is compiled."""

COMPILED: Final = not __file__.endswith(".py")
"""Whether this package runs as machine code."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
SPADES: Final = 0
DIAMONDS: Final = 2
RED_JOKER: Final[Card] = 52
BLACK_JOKER: Final[Card] = 53
NO_CARD: Final[Card] = -1
"""Stands where a card could be and none is: an attack card that is not covered."""

JOKER_RANK: Final = 13
DECK_SIZES: Final = (24, 36, 52, 54)

# A table and not `1 << card`: mypyc shifts in 32 bits.
BIT: Final[tuple[Mask, ...]] = tuple(2**card for card in range(54))

CARD_NAMES: Final[tuple[str, ...]] = (*(r + s for s in SUITS for r in RANKS), "JKR", "JKB")
_SPADES: Final = 0x1FFF
FOUR_SUITS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The twos; times a spade it gives all cards of the rank of that spade."""
JOKERS: Final = 3 << 52
PLAIN_CARDS: Final = 2**52 - 1
"""All cards but the jokers."""
_CARDS_BY_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_LOWEST_RANK: Final = {24: 7, 36: 4, 52: 0, 54: 0}


def parse_card(name: str) -> Card:
    """Return the card called `name`, such as "7S", "TH" or "JKR".

    Raises:
        ValueError: no card has that name.
    """
    card = _CARDS_BY_NAME.get(name)
    if card is None:
        raise ValueError(f"no such card: {name!r}")
    return card


def card_name(card: Card) -> str:
    """Return the name of a card: rank (T is ten), then suit; "JKR" and "JKB" for the jokers."""
    return CARD_NAMES[card]


def rank_of(card: Card) -> int:
    """Return the rank, 0 ("2") to 12 ("A"), or 13 for a joker."""
    return JOKER_RANK if card >= RED_JOKER else card % 13


def suit_of(card: Card) -> int:
    """Return the suit, 0 to 3 in the order S H D C, or -1 for a joker."""
    return -1 if card >= RED_JOKER else card // 13


def size_of(mask: Mask) -> int:
    """Return how many cards are in a set."""
    # By sums of 1, 2, 4 ... neighbouring bits: to compiled code a method of int is a detour.
    mask -= mask >> 1 & 0x15555555555555
    mask = (mask & 0x33333333333333) + (mask >> 2 & 0x33333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F
    mask += mask >> 32
    mask += mask >> 16
    mask += mask >> 8
    return mask & 0x7F


if not COMPILED:
    # To plain Python it is three times as fast as any function. (mypyc has to see a function.)
    globals()["size_of"] = int.bit_count


def lowest_card(mask: Mask) -> Card:
    """Return the card of a set with the lowest number, or NO_CARD if the set is empty."""
    return size_of((mask & -mask) - 1) if mask else NO_CARD


def ranks_of(mask: Mask) -> Mask:
    """Return the ranks of a set, jokers left out, as the set of their spades (cards 0 to 12)."""
    return (mask | mask >> 13 | mask >> 26 | mask >> 39) & _SPADES


def ranks_repeated(mask: Mask) -> Mask:
    """Return, as `ranks_of` does, the ranks of which a set has two cards or more."""
    plain = mask & PLAIN_CARDS
    lower = plain & (plain >> 13 | plain >> 26 | plain >> 39)
    return (lower | lower >> 13 | lower >> 26) & _SPADES


def cards_of(mask: Mask) -> tuple[Card, ...]:
    """Return the cards of a set in ascending order."""
    cards: list[Card] = []
    while mask:
        low: int = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the set of the given cards; one named twice is in it once."""
    mask: Mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def deck_cards(deck: int) -> tuple[Card, ...]:
    """Return the cards of a deck of 24 (from nine), 36 (from six), 52 or 54 cards, ascending.

    Raises:
        ValueError: there is no deck of that size.
    """
    lowest = _LOWEST_RANK.get(deck)
    if lowest is None:
        raise ValueError(f"no deck has {deck} cards")
    plain = tuple(card for card in range(52) if card % 13 >= lowest)
    return (*plain, RED_JOKER, BLACK_JOKER) if deck == 54 else plain
