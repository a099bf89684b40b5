"""How house bots choose, shown on small tables."""

from collections import Counter
from random import Random

import pytest

from durak_server.bots import POLICIES
from durak_server.matches import BotLevel
from durak_server.rules import (
    MoveKind,
    Position,
    card_name,
    cards_of,
    count,
    deck_cards,
    expand,
    legal_moves,
    parse_position,
    play,
    preset,
    start_deal,
    to_act,
    view,
)
from tests.rules.hidden import reshuffle_hidden


def table(rules: str, hands: str, attacks: str = "-", stock: str = "AH") -> Position:
    """Two seats, hearts trump: seat 0 leads, seat 1 defends; `-` for no attack or no stock."""
    return parse_position(
        f"{rules} HAH 0001 {stock} {hands} {attacks} 6 -;-;-;-;- - - 1;0;01;01;-;- -"
    )


LOWEST = [
    # rules       hands        on the table    stock  seat  chooses
    ("podkidnoy", "7S6H9D/KC", "-",            "AH",  0,    "ATTACK 7S"),
    ("podkidnoy", "6HKH/KC",   "-",            "AH",  0,    "ATTACK 6H"),
    ("podkidnoy", "7C/8SAS6H", "7S/-@0",       "AH",  1,    "BEAT 8S"),
    ("podkidnoy", "7C/6H9D",   "7S/-@0",       "AH",  1,    "BEAT 6H"),
    ("podkidnoy", "7C/KH9D",   "7S/-@0",       "AH",  1,    "TAKE"),
    ("podkidnoy", "7C/KH9D",   "7S/-@0",       "-",   1,    "BEAT KH"),
    ("podkidnoy", "7C/6D9D",   "7S/-@0",       "AH",  1,    "TAKE"),
    ("podkidnoy", "7D8D/9D",   "7S/8S@0",      "AH",  0,    "THROW_IN 7D"),
    ("podkidnoy", "7H9C/9D",   "7S/8S@0",      "AH",  0,    "PASS"),
    ("podkidnoy", "7H9C/9D",   "7S/8S@0",      "-",   0,    "THROW_IN 7H"),
    ("podkidnoy", "9C/9D",     "7S/8S@0",      "AH",  0,    "PASS"),
    ("perevodnoy", "6C6D/7D8S", "7S/-@0",      "AH",  1,    "TRANSFER 7D"),
    ("perevodnoy", "6C6D/7H8S", "7S/-@0",      "AH",  1,    "BEAT 8S"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "hands", "attacks", "stock", "seat", "expected"), LOWEST)
def test_the_bot_lowest_plays_the_lowest_card_that_works(
    rules: str, hands: str, attacks: str, stock: str, seat: int, expected: str
) -> None:
    position = table(rules, hands, attacks, stock)

    move = POLICIES[BotLevel.LOWEST](view(position, seat), Random(1))

    cards = [card_name(card) for card in cards_of(move.cards)]
    assert " ".join([move.kind.name, *cards]) == expected


def test_the_bot_random_makes_each_legal_move_as_often_as_the_other() -> None:
    position = table("podkidnoy", "7S7D9D/KC")
    moves = [move for group in legal_moves(position, 0) for move in expand(group)]
    dice = Random(1)

    chosen = Counter(POLICIES[BotLevel.RANDOM](view(position, 0), dice) for _ in range(4_000))

    assert set(chosen) == set(moves)
    assert len(moves) == sum(map(count, legal_moves(position, 0))) == 4
    assert all(900 < number < 1_100 for number in chosen.values())


RULES = ["podkidnoy", "perevodnoy", "prostoy", "podkidnoy_folk", "perevodnoy_folk", "online"]


@pytest.mark.parametrize("level", BotLevel)
@pytest.mark.parametrize("rules", RULES)
def test_bots_end_every_deal_by_legal_moves_and_see_only_their_seat(
    rules: str, level: BotLevel
) -> None:
    dice = Random(f"{rules} {level}")
    for seats in (2, 3, 6):
        rule_set = preset(rules, seats=seats)
        order = list(deck_cards(rule_set.deck))
        dice.shuffle(order)
        position, _ = start_deal(rule_set, order, dealer=0)
        while not position.result:
            seat = dice.choice(to_act(position))
            twin = reshuffle_hidden(position, seat, dice)
            seed = dice.random()

            move = POLICIES[level](view(position, seat), Random(seed))

            assert POLICIES[level](view(twin, seat), Random(seed)) == move
            outcome = play(position, move, seat)
            assert isinstance(outcome, tuple), outcome
            position, _ = outcome


def test_the_bot_lowest_takes_no_card_back() -> None:
    position = table("podkidnoy,retract=true", "9C7D/9D", "7S/8S@0,7C/-@0?")
    kinds = {group.kind for group in legal_moves(position, 0)}
    assert MoveKind.RETRACT in kinds

    move = POLICIES[BotLevel.LOWEST](view(position, 0), Random(1))

    assert move.kind is MoveKind.THROW_IN
