import pytest

from durak_client.cards import Card, Suit
from durak_client.pb.durak.v1 import card_pb2

WRITTEN = [
    # typed   number  code   printed  red
    ("7S", 23, "7S", "7♠", False),
    ("10h", 42, "TH", "10♥", True),
    ("TH", 42, "TH", "10♥", True),
    ("q♦", 60, "QD", "Q♦", True),
    (" ac ", 78, "AC", "A♣", False),
    ("jkr", 81, "JKR", "★", True),
    ("JKB", 82, "JKB", "★", False),
]


@pytest.mark.parametrize(("typed", "number", "code", "printed", "red"), WRITTEN)
def test_a_card_is_read_and_written(
    typed: str, number: int, code: str, printed: str, red: bool
) -> None:
    card = Card.parse(typed)
    assert (card.number, card.code, str(card), card.is_red) == (number, code, printed, red)


@pytest.mark.parametrize("text", ["", "S", "7", "1S", "11S", "7X", "?S", "7SS", "joker"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        Card.parse(text)


def test_every_card_of_the_wire_is_known_and_reads_back() -> None:
    cards = [Card(number) for number in card_pb2.Card.values() if number]
    assert [card.is_known for card in cards] == [True] * 54
    assert [Card.parse(card.code) for card in cards] == cards


def test_a_hand_that_is_printed_shows_which_cards_it_has() -> None:
    hand = (Card.parse("7S"), Card.parse("10H"), Card(81), Card(97))
    assert f"{hand}" == "(Card.parse('7S'), Card.parse('TH'), Card.parse('JKR'), Card(number=97))"


def test_a_card_of_a_later_deck_keeps_its_number() -> None:
    card = Card(97)
    assert (card.is_known, card.code, str(card), card.rank) == (False, "#97", "#97", 1)
    assert (card.suit, card.suit.is_known, card.suit.sign) == (Suit(6), False, "?")
