from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

from durak_server.rules import Preset, Problem, RuleSet, TableTalk, preset, problems
from durak_server.rules.law import Law, law_of
from durak_server.rules.ruletext import format_rules, parse_rules


@pytest.mark.parametrize("name", list(Preset))
def test_every_preset_is_possible(name: Preset) -> None:
    assert problems(preset(name)) == ()


# options, the fields that are named as impossible
IMPOSSIBLE = [
    ({"seats": 1}, ["seats"]),
    ({"seats": 7}, ["seats", "seats"]),
    ({"seats": 5, "deck": 24}, ["seats"]),
    ({"deck": 32}, ["deck"]),
    ({"deck": 54}, ["deck"]),
    ({"jokers": "COLOUR"}, ["jokers"]),
    ({"deal_step": 3}, ["deal_step"]),
    ({"deals": -1}, ["deals"]),
    ({"turn_seconds": -1}, ["turn_seconds"]),
    ({"bank_seconds": 10}, ["bank_seconds"]),
    ({"teams": "ALTERNATE"}, ["teams"]),
    ({"teams": "ALTERNATE", "seats": 3}, ["teams"]),
    ({"teams": "ALTERNATE", "seats": 5}, ["teams"]),
    ({"transfer_many": True}, ["transfer_many"]),
    ({"transfer_show": True}, ["transfer_show"]),
    ({"transfer_first_bout": False}, ["transfer_first_bout"]),
    ({"transfer_hand_check": "CAP_AT_HAND"}, ["transfer_hand_check"]),
    ({"draw_order": "MAIN_ATTACKER_CLOCKWISE"}, ["draw_order"]),
    ({"throw_in": "NONE", "dump": "MAY"}, ["dump"]),
    ({"throw_in": "NONE", "retract": True}, ["retract"]),
    ({"throw_in": "NONE", "throw_in_many": False}, ["throw_in_many"]),
    ({"throw_in": "NONE", "throw_in_after_take": False}, ["throw_in_after_take"]),
    ({"throw_in": "NONE", "lead_many": False, "overthrow": "RETURN_EXCESS"}, ["overthrow"]),
    ({"throw_in": "NONE", "lead_many": False, "first_bout_cap": "FIRST_BOUT"}, ["first_bout_cap"]),
    ({"throw_in_timing": "AFTER_COVERED", "throw_in_priority": "FREE"}, ["throw_in_priority"]),
    ({"deck": 24, "epaulettes": True}, ["epaulettes"]),
]


@pytest.mark.parametrize(("options", "named"), IMPOSSIBLE)
def test_an_impossible_combination_names_its_field(
    options: dict[str, object], named: list[str]
) -> None:
    assert [problem.field for problem in problems(preset("podkidnoy", **options))] == named


def test_the_message_tells_what_is_wrong() -> None:
    assert problems(RuleSet(seats=5, deck=24)) == (Problem("seats", "5 seats need 30 cards of 24"),)


POSSIBLE = [
    {"seats": 6},  # the whole deck is dealt
    {"seats": 4, "deck": 24},
    {"deck": 54, "jokers": "COLOUR"},
    {"teams": "ALTERNATE", "seats": 6},
    {"throw_in": "NONE"},
    {"deals": 0},
]


@pytest.mark.parametrize("options", POSSIBLE)
def test_a_possible_combination_has_no_problem(options: dict[str, object]) -> None:
    assert problems(preset("podkidnoy", **options)) == ()


def test_talking_is_allowed_unless_agreed_otherwise() -> None:
    assert {preset(name).table_talk for name in Preset} == {TableTalk.ON}
    assert problems(preset("perevodnoy", table_talk="NO_PARTNERS")) == ()


def test_a_preset_takes_overrides() -> None:
    assert preset("perevodnoy", seats=4) == RuleSet(transfer=True, seats=4)


def test_an_unknown_option_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such option: speed"):
        preset("podkidnoy", speed=3)


TEXTS = [
    (preset("podkidnoy"), "podkidnoy"),
    (preset("japanese", seats=4), "japanese,seats=4"),
    (preset("perevodnoy_folk", retract=False), "perevodnoy_folk,retract=false"),
    (preset("online", dump="MAY"), "online,dump=MAY"),
]


@pytest.mark.parametrize(("rules", "text"), TEXTS)
def test_a_rule_set_is_written_as_a_preset_and_what_differs(rules: RuleSet, text: str) -> None:
    assert (format_rules(rules), parse_rules(text)) == (text, rules)


@pytest.mark.parametrize("text", ["whist", "podkidnoy,speed=3", "podkidnoy,retract=maybe"])
def test_other_text_is_no_rule_set(text: str) -> None:
    with pytest.raises(ValueError, match=r"whist|speed|retract"):
        parse_rules(text)


def test_the_rules_page_names_every_option_and_every_value() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
    for field in fields(RuleSet):
        default = getattr(RuleSet(), field.name)
        values = list(type(default)) if isinstance(default, StrEnum) else []
        missing = [word for word in (field.name, *values) if f"`{word}`" not in page]
        assert missing == []


def test_a_rule_set_has_one_meaning_however_often_it_is_worked_out() -> None:
    assert Law(RuleSet()) == Law(RuleSet())
    assert Law(RuleSet()) != Law(RuleSet(transfer=True))
    assert law_of(RuleSet()) is law_of(RuleSet())
