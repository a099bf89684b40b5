"""Every value of every option is played in some worked case."""

from dataclasses import FrozenInstanceError, fields
from enum import StrEnum
from random import Random

import pytest

from durak_server.rules import RuleSet, preset, simulate
from durak_server.rules.options import OptionValue
from tests.rules.test_cases import CASES, Case

BETWEEN_BOUTS = {"deal_step", "next_leader"}
"""Shown by test_deal.py: a case begins when the first bout does, and ends with the deal."""
OF_THE_MATCH = {"table_talk", "deals", "leave", "turn_seconds", "bank_seconds", "on_timeout"}
"""Nothing in a deal depends on them."""
NUMBERS: dict[str, tuple[int, ...]] = {"seats": (2, 3, 4, 5, 6), "deck": (24, 36, 52, 54)}


def values_of(name: str) -> tuple[OptionValue, ...]:
    default = getattr(RuleSet(), name)
    if isinstance(default, bool):
        return (False, True)
    return tuple(type(default)) if isinstance(default, StrEnum) else NUMBERS[name]


def rules_of(case: Case) -> RuleSet:
    options = case["opts"]
    hands = case["hands"]
    assert isinstance(options, dict)
    assert isinstance(hands, dict)
    others = {name: value for name, value in options.items() if name != "preset"}
    return preset(options["preset"], **{"seats": len(hands), **others})


OPTIONS = [field.name for field in fields(RuleSet)]
PLAYED = [name for name in OPTIONS if name not in BETWEEN_BOUTS | OF_THE_MATCH]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in PLAYED for value in values_of(name)]
)
def test_some_case_plays_with(name: str, value: OptionValue) -> None:
    assert any(getattr(rules_of(case), name) == value for case in CASES)


def test_a_deal_is_played_to_its_end_by_the_rules_it_began_with() -> None:
    rules = preset("perevodnoy", seats=4)
    [ended] = simulate(rules, 1, Random(5))
    assert ended.law.rules == preset("perevodnoy", seats=4)
    with pytest.raises(FrozenInstanceError):
        rules.transfer = False  # type: ignore[misc]  # assigning to it is what must fail
