"""Faults reported elsewhere that need more than a worked case (docs/pitfalls.md has them all)."""

import pytest

from durak_server.rules import (
    Move,
    MoveGroup,
    MoveKind,
    Reason,
    Refusal,
    check,
    legal_moves,
    make_move,
    mask_of,
    parse_card,
    play,
)
from durak_server.rules.casesetup import set_up


def bits(names: str) -> int:
    return mask_of(map(parse_card, names.split()))


def test_a_trump_of_the_rank_led_beats_transfers_or_is_shown() -> None:
    position = set_up(
        {
            "opts": {"preset": "perevodnoy", "transfer_show": True},
            "trump": "H",
            "attacker": "P0",
            "hands": {"P0": ["7S", "9C", "TC"], "P1": ["7H", "KC"]},
            "stock": ["8H"],
        }
    )
    answer = play(position, Move(MoveKind.ATTACK, bits("7S")), 0)
    assert not isinstance(answer, Refusal)
    assert legal_moves(answer[0], 1) == [
        MoveGroup(MoveKind.BEAT, bits("7H"), parse_card("7S"), 1, 1),
        MoveGroup(MoveKind.TRANSFER, bits("7H"), -1, 1, 1),
        MoveGroup(MoveKind.SHOW, bits("7H"), -1, 1, 1),
        MoveGroup(MoveKind.TAKE, 0, -1, 0, 0),
    ]


@pytest.mark.parametrize("cards", [[54], [-1], [0, 99]])
def test_a_move_names_cards_that_exist(cards: list[int]) -> None:
    assert make_move(MoveKind.ATTACK, cards) == Refusal(Reason.MALFORMED_MOVE)


def test_a_move_names_each_card_once() -> None:
    card = parse_card("7S")
    assert make_move(MoveKind.ATTACK, [card, card]) == Refusal(
        Reason.DUPLICATE_CARD, (("card", "7S"),)
    )
    assert make_move(MoveKind.BEAT, [card], 3) == Move(MoveKind.BEAT, bits("7S"), 3)


@pytest.mark.parametrize("seat", [-1, 2, 6])
def test_only_seats_at_the_table_act(seat: int) -> None:
    position = set_up(
        {
            "opts": {"preset": "podkidnoy"},
            "trump": "H",
            "attacker": "P0",
            "hands": {"P0": ["7S"], "P1": ["7H"]},
            "stock": [],
        }
    )
    refusal = check(position, seat, Move(MoveKind.ATTACK, bits("7S")))
    assert refusal == Refusal(Reason.NOT_IN_PLAY, (("seat", str(seat)),))
    assert refusal.text == f"Seat {seat} is not in play."


@pytest.mark.parametrize("cards", [-1, 2**54, 2**60])
def test_a_set_of_cards_is_a_set_of_real_cards(cards: int) -> None:
    position = set_up(
        {
            "opts": {"preset": "podkidnoy"},
            "trump": "H",
            "attacker": "P0",
            "hands": {"P0": ["7S"], "P1": ["7H"]},
            "stock": [],
        }
    )
    for kind in MoveKind:
        assert check(position, 0, Move(kind, cards)) == Refusal(Reason.MALFORMED_MOVE)


def test_the_right_to_a_new_deal_is_listed_in_the_first_bout_for_its_holder_alone() -> None:
    hands = {"P0": ["6S", "7S", "8S", "9S", "TS", "JS"], "P1": ["6C", "7C", "8C", "9C", "TC", "KD"]}
    for first_bout in (True, False):
        position = set_up(
            {
                "opts": {"preset": "podkidnoy_folk"},
                "trump": "H",
                "attacker": "P0",
                "first_bout": first_bout,
                "hands": hands,
                "stock": ["8H"],
            }
        )
        claim = MoveGroup(MoveKind.CLAIM_REDEAL, 0, -1, 0, 0)
        assert (claim in legal_moves(position, 0)) is first_bout
        assert legal_moves(position, 1) == []
