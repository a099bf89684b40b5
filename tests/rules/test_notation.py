from random import Random

import pytest

from durak_server.rules import format_position, parse_position, preset, start_deal
from durak_server.rules.casesetup import set_up
from durak_server.rules.simulate import simulate
from tests.rules.rule_sets import random_rules


def test_a_position_is_one_line() -> None:
    position = set_up(
        {
            "opts": {"preset": "podkidnoy_folk"},
            "trump": "H",
            "attacker": "P0",
            "hands": {"P0": ["7S", "7D"], "P1": ["8S", "KC"], "P2": ["TD"]},
            "stock": ["9S", "AH"],
        }
    )
    assert format_position(position) == (
        "podkidnoy_folk,seats=3 HAH 2001 9SAH 7S7D/8SKC/TD - 2 -;-;-;-;- - - 1;0;012;-;-;- -"
    )


@pytest.mark.parametrize("seed", range(30))
def test_every_position_comes_back_from_its_line(seed: int) -> None:
    random = Random(seed)
    rules = random_rules(random)
    for position in simulate(rules, 2, random):
        assert parse_position(format_position(position)) == position


def test_a_joker_has_three_letters() -> None:
    rules = preset("podkidnoy", deck=54, jokers="COLOUR")
    position, _ = start_deal(rules, tuple(reversed(range(54))), 0)
    assert parse_position(format_position(position)) == position


GOOD = "podkidnoy HAH 1010 9SAH 7S7D/8SKC - 2 -;-;-;-;- - - 1;0;01;-;-;- -"

BROKEN = [
    "",
    GOOD + " -",
    GOOD.replace("podkidnoy", "whist"),
    GOOD.replace("podkidnoy", "podkidnoy,seats=9"),
    GOOD.replace("HAH", "XAH"),
    GOOD.replace("9SAH", "9SA"),
    GOOD.replace("1010", "101"),
    GOOD.replace("1;0;01", "one;0;01"),
    GOOD.replace(" HAH ", "  "),
    GOOD.replace("8SKC", "8S/KC/AC"),
    GOOD.replace("1;0;01", "1;0;09"),
    GOOD.replace(" - 2 ", " 7S/8S@ 2 "),
    GOOD.replace(" - 2 ", " -/8S@0 2 "),
]


def test_the_good_line_is_good() -> None:
    assert format_position(parse_position(GOOD)) == GOOD


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_position(line)
