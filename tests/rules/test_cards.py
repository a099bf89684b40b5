import pytest

from durak_server.rules import RuleSet, card_name, cards_of, deck_cards, mask_of, parse_card
from durak_server.rules.law import law_of

NAMES = [("2S", 0), ("AS", 12), ("2H", 13), ("TD", 34), ("AC", 51), ("JKR", 52), ("JKB", 53)]


@pytest.mark.parametrize(("name", "card"), NAMES)
def test_a_card_is_its_suit_times_thirteen_plus_its_rank(name: str, card: int) -> None:
    assert (parse_card(name), card_name(card)) == (card, name)


@pytest.mark.parametrize("name", ["", "7", "S7", "1S", "10S", "7s", "7X", "JK", "7S "])
def test_nothing_else_is_a_card(name: str) -> None:
    with pytest.raises(ValueError, match="no such card"):
        parse_card(name)


def test_a_mask_lists_its_cards_in_ascending_order() -> None:
    assert cards_of(mask_of([51, 0, 13, 0])) == (0, 13, 51)


DECKS = [(24, "9"), (36, "6"), (52, "2"), (54, "2")]


@pytest.mark.parametrize(("size", "lowest"), DECKS)
def test_a_deck_begins_at_its_lowest_rank(size: int, lowest: str) -> None:
    deck = deck_cards(size)
    assert (len(deck), card_name(deck[0])) == (size, f"{lowest}S")
    assert deck == tuple(sorted(set(deck)))


def test_there_is_no_other_deck() -> None:
    with pytest.raises(ValueError, match="no deck has 32 cards"):
        deck_cards(32)


# put, on, trump, beats
BEATS = [
    ("9H", "7H", "S", True),  # higher, same suit
    ("7H", "9H", "S", False),
    ("9H", "9H", "S", False),
    ("6S", "AH", "S", True),  # any trump beats a plain card
    ("AD", "6H", "S", False),  # a plain card of another suit never does
    ("AD", "6S", "S", False),  # nor a trump
    ("7S", "6S", "S", True),  # a higher trump beats a trump
    ("6S", "AS", "S", False),  # so the ace of trumps cannot be beaten
    ("KS", "AS", "S", False),
    ("TC", "9C", "D", True),  # ten is above nine
    ("AC", "KC", "D", True),
]


@pytest.mark.parametrize(("put", "on", "trump", "beats"), BEATS)
def test_what_beats_what(put: str, on: str, trump: str, beats: bool) -> None:
    winners = law_of(RuleSet()).beaten_by["SHDC".index(trump)][parse_card(on)]
    assert bool(winners & mask_of([parse_card(put)])) is beats


def test_two_is_the_lowest_rank_of_52_cards_and_beats_nothing_plain() -> None:
    """Fault elsewhere: 52 cards compared with the rank list of 36."""
    law = law_of(RuleSet(deck=52))
    deuce = mask_of([parse_card("2H")])
    beaten = [card for card in law.deck if law.beaten_by[0][card] & deuce]
    assert beaten == []
    assert cards_of(law.beaten_by[0][parse_card("2H")]) == (
        *range(13),
        *range(parse_card("3H"), parse_card("AH") + 1),
    )
