"""What a viewer sees, who is asked and how a bout runs must not depend on hidden cards."""

from random import Random

import pytest

from durak_server.rules import (
    Move,
    MoveKind,
    Position,
    Refusal,
    RuleSet,
    cards_of,
    deck_cards,
    legal_moves,
    mask_of,
    parse_card,
    play,
    start_deal,
    to_act,
    view,
)
from durak_server.rules.cards import size_of
from durak_server.rules.casesetup import set_up
from durak_server.rules.ruletext import format_rules
from durak_server.rules.simulate import choose_uniformly
from tests.rules.hidden import reshuffle_hidden
from tests.rules.rule_sets import TABLES


def positions(rules: RuleSet, random: Random) -> list[Position]:
    """Return every position of a deal played at random."""
    deck = list(deck_cards(rules.deck))
    random.shuffle(deck)
    position, _ = start_deal(rules, deck, 0)
    met = [position]
    while position.result is None:
        seat = random.choice(to_act(position))
        move = choose_uniformly(position, seat, legal_moves(position, seat), random)
        answer = play(position, move, seat)
        assert not isinstance(answer, Refusal)
        position = answer[0]
        met.append(position)
    return met


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_a_view_does_not_depend_on_what_is_hidden(rules: RuleSet) -> None:
    random = Random(7)
    for position in positions(rules, random)[::3]:
        for seat in (None, *range(rules.seats)):
            assert view(reshuffle_hidden(position, seat, random), seat) == view(position, seat)


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_who_is_asked_does_not_depend_on_what_is_hidden(rules: RuleSet) -> None:
    """Fault elsewhere: asking only those who can throw in tells who holds what."""
    random = Random(8)
    for position in positions(rules, random)[::2]:
        assert to_act(reshuffle_hidden(position, None, random)) == to_act(position)


QUIET = (MoveKind.TAKE, MoveKind.PASS)


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_a_take_or_a_pass_has_the_same_consequence_whatever_is_hidden(rules: RuleSet) -> None:
    """Fault elsewhere: closing a bout because nobody can throw in."""
    random = Random(9)
    for position in positions(rules, random):
        for seat in to_act(position):
            for kind in QUIET:
                course = [
                    public_course(start, Move(kind), seat)
                    for start in (position, reshuffle_hidden(position, None, random))
                ]
                assert course[0] == course[1]


def public_course(position: Position, move: Move, seat: int) -> object:
    answer = play(position, move, seat)
    if isinstance(answer, Refusal):
        return answer
    after, events = answer
    return (
        [type(event) for event in events],
        to_act(after),
        after.leader,
        after.defender,
        after.limit,
        after.attacks,
        after.covers,
        [size_of(hand) for hand in after.hands],
    )


def test_an_attacker_without_a_fitting_card_is_asked_all_the_same() -> None:
    position = table(["7S 9C", "8S KC", "TC JC"])
    position = played(position, 0, Move(MoveKind.ATTACK, bits("7S")))
    position = played(position, 1, Move(MoveKind.BEAT, bits("8S"), parse_card("7S")))
    assert to_act(position) == (0,)
    position = played(position, 0, Move(MoveKind.PASS))
    assert to_act(position) == (2,)
    assert [group.kind for group in legal_moves(position, 2)] == [MoveKind.PASS]


def test_nobody_is_asked_to_throw_in_what_the_limit_forbids() -> None:
    position = table(["7S 7D 9C", "8S KC", "7C JC"])
    position = played(position, 0, Move(MoveKind.ATTACK, bits("7S 7D")))
    assert to_act(position) == (1,)
    assert [group.kind for group in legal_moves(position, 0)] == [MoveKind.PASS]


def test_everybody_knows_the_cards_that_were_taken_until_they_are_laid() -> None:
    position = table(["7S 9C TC", "8D KC", "7D JC"])
    position = played(position, 0, Move(MoveKind.ATTACK, bits("7S")))
    position = played(position, 1, Move(MoveKind.TAKE))
    position = played(position, 0, Move(MoveKind.PASS))
    position = played(position, 2, Move(MoveKind.PASS))
    assert view(position, None).known == ((), cards_of(bits("7S")), ())
    position = played(position, 2, Move(MoveKind.ATTACK, bits("7D")))
    position = played(position, 0, Move(MoveKind.TAKE))
    position = played(position, 2, Move(MoveKind.PASS))
    position = played(position, 1, Move(MoveKind.THROW_IN, bits("7S")))
    assert view(position, None).known == (cards_of(bits("7S 7D")), (), ())


def test_everybody_knows_who_drew_the_open_trump() -> None:
    position = table(["7S 9C", "8S KC"], "AH", bouts=0)
    position = played(position, 0, Move(MoveKind.ATTACK, bits("7S")))
    position = played(position, 1, Move(MoveKind.BEAT, bits("8S"), parse_card("7S")))
    position = played(position, 0, Move(MoveKind.PASS))
    assert view(position, 1).known == (cards_of(bits("AH")), ())
    assert view(position, 1).trump_card == parse_card("AH")


def test_a_spectator_sees_no_hand_and_no_moves() -> None:
    seen = view(table(["7S 9C", "8S KC"], "TD AH"), None)
    assert (seen.hand, seen.legal_moves, seen.hand_sizes) == ((), (), (2, 2))
    assert (seen.stock_size, seen.discard_size) == (2, 0)


def table(hands: list[str], stock: str = "", bouts: int = 1) -> Position:
    position = set_up(
        {
            "opts": {"preset": "podkidnoy"},
            "trump": "H",
            "attacker": "P0",
            "hands": {f"P{seat}": hand.split() for seat, hand in enumerate(hands)},
            "stock": stock.split(),
        }
    )
    position.bouts = bouts
    return position


def played(position: Position, seat: int, move: Move) -> Position:
    answer = play(position, move, seat)
    assert not isinstance(answer, Refusal), answer.text
    return answer[0]


def bits(names: str) -> int:
    return mask_of(map(parse_card, names.split()))
