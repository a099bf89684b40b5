"""Which card beats which (the server's docs/rules.md, 3.2 to 3.6)."""

from collections.abc import Mapping
from typing import Final

from durak_client.cards import Card, Suit
from durak_client.matches import Option

_ACE: Final = 14
_LOWEST_RANK: Final = {24: 9, 36: 6}
"""By the size of the deck; 2 in those of 52 and 54."""


def beats(cover: Card, target: Card, trump: Suit, rules: Mapping[str, Option]) -> bool:
    """Return whether one card beats another under the options of a match."""
    if cover.is_joker:
        return not target.is_joker and cover.is_red == target.is_red
    if target.is_joker:
        return False
    if cover.suit == target.suit:
        return cover.rank > target.rank or (
            cover.suit == trump
            and bool(rules.get("low_trump_beats_ace"))
            and target.rank == _ACE
            and cover.rank == _LOWEST_RANK.get(int(rules["deck"]), 2)
        )
    is_kept_to_spades = target.suit == Suit.SPADES and rules.get("spades_only_by_spades")
    return cover.suit == trump and not is_kept_to_spades
