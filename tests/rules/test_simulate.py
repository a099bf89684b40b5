from random import Random

import pytest

from durak_server.rules import MoveGroup, Position, RuleSet, format_position, pick, preset
from durak_server.rules.moves import Move
from durak_server.rules.ruletext import format_rules
from durak_server.rules.simulate import Dice, simulate
from tests.rules.rule_sets import TABLES


@pytest.mark.parametrize("rules", TABLES, ids=format_rules)
def test_the_same_dice_give_the_same_deals(rules: RuleSet) -> None:
    runs = [[format_position(end) for end in simulate(rules, 5, Random(3))] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 5


def test_every_simulated_deal_is_over() -> None:
    ends = list(simulate(preset("perevodnoy", seats=4), 40, Random(4)))
    assert [end.result is not None for end in ends] == [True] * 40


def test_somebody_else_may_choose_the_moves() -> None:
    asked: list[int] = []

    def first_move(_: Position, seat: int, groups: list[MoveGroup], dice: Dice) -> Move:
        asked.append(seat)
        return pick(groups[0], 0)

    [end] = simulate(RuleSet(), 1, Random(5), first_move)
    assert end.result is not None
    assert set(asked) == {0, 1}
