"""Every card comes to every place, and every pair to every pair of neighbours, equally often.

The seeds are fixed, so each run gives the same figures. `make test-fair` counts a million deals.
"""

import os
from collections.abc import Callable
from random import Random

import pytest

from tests.fair.counts import DECK, biased_orders, deviations, fair_orders

DEALS = int(os.environ.get("FAIR_DEALS", "20000"))
# Chance alone goes beyond 5 standard deviations once in two million times; here are 1,296 cells.
BOUND = 5.0


def test_shuffles_are_as_even_as_chance() -> None:
    found = deviations(fair_orders(DEALS, seed=2026))
    print(f"{DEALS:,} deals: {found}")  # noqa: T201  # the figures, for `pytest -s`
    assert abs(found.places) < BOUND
    assert found.pairs < BOUND
    assert found.cell < BOUND


def from_a_byte(random: Random, place: int) -> int:
    return random.randrange(256) % (place + 1)


def never_itself(random: Random, place: int) -> int:
    return random.randrange(place)


def from_all(random: Random, place: int) -> int:  # the mistake is to ignore it
    return random.randrange(DECK)


@pytest.mark.parametrize(
    ("exchange", "deals"), [(from_a_byte, 25_000), (never_itself, 1_000), (from_all, 4_000)]
)
def test_the_usual_mistakes_would_be_found(
    exchange: Callable[[Random, int], int], deals: int
) -> None:
    found = deviations(biased_orders(deals, 1, exchange))
    assert max(found.places, found.pairs, found.cell) > 2 * BOUND
