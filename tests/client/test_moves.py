from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_client.cards import Card, Suit
from durak_client.moves import LegalMove, Move, MoveKind
from tests.client.tables import cards

SEVENS = LegalMove(MoveKind.ATTACK, cards("7S 7H 7C"), None, 1, 3)
COVERS = LegalMove(MoveKind.BEAT, cards("9S 6H"), Card.parse("7S"), 1, 1)
TAKE = LegalMove(MoveKind.TAKE, (), None, 0, 0)

GROUPS = st.builds(
    lambda held, most: LegalMove(MoveKind.THROW_IN, tuple(sorted(held)), None, 1, most),
    st.sets(st.sampled_from(cards("7S 7H 7D 7C 9S 9H")), min_size=1),
    st.integers(1, 6),
)


def test_a_group_yields_its_moves_few_cards_first() -> None:
    assert [" ".join(card.code for card in move.cards) for move in SEVENS] == [
        *("7S", "7H", "7C"),
        *("7S 7H", "7S 7C", "7H 7C"),
        "7S 7H 7C",
    ]
    assert list(COVERS) == [
        Move(MoveKind.BEAT, cards("9S"), Card.parse("7S")),
        Move(MoveKind.BEAT, cards("6H"), Card.parse("7S")),
    ]
    assert list(TAKE) == [Move(MoveKind.TAKE)]


@given(GROUPS)
def test_a_group_allows_its_own_moves_and_counts_them(group: LegalMove) -> None:
    moves = list(group)
    assert len(group) == len(set(moves)) == len(moves)
    assert all(group.allows(move) for move in moves)


def test_a_group_of_millions_is_made_as_far_as_it_is_asked_for() -> None:
    deck = tuple(Card(16 * suit + rank) for suit in (1, 2, 3, 4) for rank in range(2, 15))
    group = LegalMove(MoveKind.THROW_IN, deck, None, 1, 52)
    assert len(group) == 2**52 - 1
    assert [move.cards for move in islice(group, 2)] == [deck[:1], deck[1:2]]


@pytest.mark.parametrize(
    "move",
    [
        Move(MoveKind.THROW_IN, cards("7S")),
        Move(MoveKind.ATTACK, cards("7D")),
        Move(MoveKind.ATTACK, cards("7S 7S")),
        Move(MoveKind.ATTACK),
        Move(MoveKind.ATTACK, cards("7S"), Card.parse("6S")),
    ],
)
def test_a_group_allows_nothing_else(move: Move) -> None:
    assert not SEVENS.allows(move)


LOWEST = [
    # trump          group   cards
    (Suit.HEARTS, COVERS, "9S"),  # a trump is dear
    (Suit.CLUBS, COVERS, "6H"),
    (Suit.SPADES, SEVENS, "7H"),
    (Suit.UNSPECIFIED, SEVENS, "7S"),
    (Suit.HEARTS, TAKE, ""),
]


@pytest.mark.parametrize(("trump", "group", "chosen"), LOWEST)
def test_the_lowest_move_is_one_low_card_and_no_trump(
    trump: Suit, group: LegalMove, chosen: str
) -> None:
    assert group.lowest(trump) == Move(group.kind, cards(chosen), group.target)


def test_a_move_reads_as_an_order() -> None:
    assert str(COVERS.lowest(Suit.HEARTS)) == "beat 7♠ with 9♠"
    assert str(Move(MoveKind.THROW_IN, cards("7S 7H"))) == "throw in 7♠ 7♥"
    assert str(Move(MoveKind.TAKE)) == "take"
