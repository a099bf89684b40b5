"""How often which card comes where, and how far that is from what pure chance gives."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random

from durak_server.matches import Shuffle, shuffled

DECK = 36
Order = tuple[int, ...]
CARDS = shuffled(DECK, "", Shuffle(1, bytes(32)))


def fair_orders(deals: int, seed: int) -> Iterable[Order]:
    """Yield so many decks, each shuffled from a seed of its own."""
    random = Random(seed)
    for number in range(deals):
        seeds = ((0, random.randbytes(16)), (1, random.randbytes(16)))
        yield shuffled(DECK, "statistics", Shuffle(number % 7 + 1, random.randbytes(32), seeds))


@dataclass(frozen=True)
class Deviations:
    """Deviations from pure chance in standard deviations: near 0 if fair, above 5 hardly ever.

    `places` is that of all cards over all places; `pairs` the largest among those of neighbouring
    places, each over all ordered pairs of cards that may lie there; `cell` the largest of one card
    at one place.
    """

    places: float
    pairs: float
    cell: float


def deviations(orders: Iterable[Order]) -> Deviations:
    """Return how far the decks are from chance."""
    deals = 0
    cards = [Counter[int]() for _ in range(DECK)]
    pairs = [Counter[tuple[int, int]]() for _ in range(DECK - 1)]
    for order in orders:
        deals += 1
        for counter, card in zip(cards, order, strict=True):
            counter[card] += 1
        for pair_counter, pair in zip(pairs, pairwise(order), strict=True):
            pair_counter[pair] += 1
    return Deviations(_of_places(cards, deals), max(_of_pairs(pairs, deals)), _cell(cards, deals))


def _of_places(cards: list[Counter[int]], deals: int) -> float:
    """Every card lies somewhere and every place has a card: (n - 1) squared degrees are free."""
    squares = sum(chi_square((seen[card] for card in CARDS), deals / DECK) for seen in cards)
    return standardised(squares * (DECK - 1) / DECK, (DECK - 1) ** 2)


def _of_pairs(pairs: list[Counter[tuple[int, int]]], deals: int) -> Iterable[float]:
    possible = [(one, other) for one in CARDS for other in CARDS if one != other]
    for seen in pairs:
        squares = chi_square((seen[pair] for pair in possible), deals / len(possible))
        yield standardised(squares, len(possible) - 1)


def _cell(cards: list[Counter[int]], deals: int) -> float:
    expected = deals / DECK
    spread = sqrt(expected * (1 - 1 / DECK))
    return max(abs(seen[card] - expected) / spread for seen in cards for card in CARDS)


def chi_square(counts: Iterable[int], expected: float) -> float:
    """Return Pearson's sum over cells that are equally likely."""
    return sum((count - expected) ** 2 for count in counts) / expected


def standardised(chi_squared: float, degrees: int) -> float:
    """Return a chi-square value as standard deviations from its mean (Wilson and Hilferty)."""
    spread = 2 / (9 * degrees)
    return float(((chi_squared / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def biased_orders(deals: int, seed: int, exchange: Callable[[Random, int], int]) -> Iterable[Order]:
    """Yield decks shuffled in a way that is not fair: `exchange` picks what goes to a place."""
    random = Random(seed)
    for _ in range(deals):
        cards = sorted(CARDS)
        for place in range(DECK - 1, 0, -1):
            other = exchange(random, place)
            cards[place], cards[other] = cards[other], cards[place]
        yield tuple(cards)
