"""Cards as they are written, and what beats what (rules.md, 1.2 and 3.2 to 3.6)."""

from collections.abc import Mapping

Options = Mapping[str, str | int | bool]
"""Every option of rules.md, section 11, by name; on and off are True and False."""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
JOKERS = ["JKR", "JKB"]
LOWEST_RANK = {24: "9", 36: "6", 52: "2", 54: "2"}


def rank_of(card: str) -> str:
    return "joker" if card in JOKERS else card[0]


def suit_of(card: str) -> str:
    return "none" if card in JOKERS else card[1]


def colour_of(card: str) -> str:
    return "red" if card == "JKR" or suit_of(card) in "HD" else "black"


def height_of(card: str) -> int:
    return len(RANKS) if card in JOKERS else RANKS.index(card[0])


def place_of(card: str) -> int:
    """Return where a card comes in the order of card numbers (rules.md, 6.1), from 0."""
    if card in JOKERS:
        return len(SUITS) * len(RANKS) + JOKERS.index(card)
    return SUITS.index(card[1]) * len(RANKS) + RANKS.index(card[0])


def deck_of(options: Options) -> list[str]:
    """Return the cards of the deck, sorted by suit and rank, the jokers at the end."""
    size = int(options["deck"])
    ranks = RANKS[RANKS.index(LOWEST_RANK[size]) :]
    cards = [rank + suit for suit in SUITS for rank in ranks]
    return cards + JOKERS if size == 54 else cards


def beats(cover: str, card: str, trump: str, options: Options) -> bool:
    if card in JOKERS:
        return False
    if cover in JOKERS:
        return colour_of(cover) == colour_of(card)
    if suit_of(cover) == suit_of(card):
        if height_of(cover) > height_of(card):
            return True
        if not options["low_trump_beats_ace"]:
            return False
        lowest = LOWEST_RANK[int(options["deck"])] + trump
        return (cover, card) == (lowest, "A" + trump)
    if suit_of(card) == "S" and options["spades_only_by_spades"]:
        return False
    return suit_of(cover) == trump
