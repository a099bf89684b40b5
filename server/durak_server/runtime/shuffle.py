"""The dice: the one place where chance comes in."""

import random
import secrets
from typing import Final

from durak_server.matches import SERVER_SEED_BYTES
from durak_server.rules import Card, deck_cards

_DICE: Final = random.SystemRandom()


def shuffled_deck(deck: int) -> tuple[Card, ...]:
    """Return a deck of that many cards in an order that nobody can foresee."""
    cards = list(deck_cards(deck))
    _DICE.shuffle(cards)
    return tuple(cards)


def fresh_seed() -> bytes:
    """Return a server's seed that nobody can foresee."""
    return secrets.token_bytes(SERVER_SEED_BYTES)
