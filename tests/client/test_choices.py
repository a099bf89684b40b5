import pytest

from durak_client.cards import Card
from durak_client.cli.choices import NotAMove, choices, typed_move
from durak_client.moves import Move, MoveKind
from durak_client.view import View
from tests.client.tables import DEFENCE, LEAD, TRANSFER, cards


def beat(target: str, cover: str) -> Move:
    return Move(MoveKind.BEAT, cards(cover), Card.parse(target))


def test_choices_are_numbered_in_the_order_of_the_hand() -> None:
    assert [(choice.number, str(choice.move)) for choice in choices(TRANSFER)] == [
        (1, "beat 7♠ with 10♠"),
        (2, "beat 7♠ with Q♠"),
        (3, "beat 7♦ with J♦"),
        (4, "beat 7♠ with 7♥"),
        (5, "beat 7♦ with 7♥"),
        (6, "transfer 7♥"),
        (7, "beat 7♠ with K♥"),
        (8, "beat 7♦ with K♥"),
        (9, "take"),
    ]


TYPED = [
    # view     typed       move
    (DEFENCE, "1", beat("9D", "JD")),
    (DEFENCE, " 3 ", beat("9D", "KH")),
    (DEFENCE, "4", Move(MoveKind.TAKE)),
    (DEFENCE, "take", Move(MoveKind.TAKE)),
    (DEFENCE, "T", Move(MoveKind.TAKE)),
    (DEFENCE, "jd", beat("9D", "JD")),
    (DEFENCE, "9D JD", beat("9D", "JD")),
    (LEAD, "7S", Move(MoveKind.ATTACK, cards("7S"))),
    (LEAD, "7S 7H", Move(MoveKind.ATTACK, cards("7S 7H"))),
    (LEAD, "1, 5, 6", Move(MoveKind.ATTACK, cards("7S 7C 7H"))),
    (LEAD, "2 4", Move(MoveKind.ATTACK, cards("QS QD"))),
    (TRANSFER, "7D 7H", beat("7D", "7H")),
    (TRANSFER, "6", Move(MoveKind.TRANSFER, cards("7H"))),
]


@pytest.mark.parametrize(("view", "typed", "move"), TYPED)
def test_what_is_typed_is_a_move(view: View, typed: str, move: Move) -> None:
    assert typed_move(typed, view) == move


NO_MOVES = [
    # view     typed      answer
    (DEFENCE, "9", "There is no move 9; the moves go from 1 to 4."),
    (DEFENCE, "0", "There is no move 0; the moves go from 1 to 4."),
    (DEFENCE, "1 2", "These cards cannot be played together."),
    (DEFENCE, "pass", "That is no legal move now; h is help."),
    (DEFENCE, "TS", "That is no legal move now; h is help."),
    (DEFENCE, "nonsense", "That is no legal move now; h is help."),
    (LEAD, "1 2", "These cards cannot be played together."),
    (LEAD, "1 1", "These cards cannot be played together."),
    (TRANSFER, "7H", "That can mean several things; type one of the numbers 4, 5, 6."),
]


@pytest.mark.parametrize(("view", "typed", "answer"), NO_MOVES)
def test_what_is_no_move_is_explained(view: View, typed: str, answer: str) -> None:
    with pytest.raises(NotAMove) as problem:
        typed_move(typed, view)
    assert str(problem.value) == answer
