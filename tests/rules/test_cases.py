from collections.abc import Mapping
from itertools import cycle
from pathlib import Path

import pytest

from durak_server.casefile import read_cases
from durak_server.rules import CaseResult, run_cases

Case = Mapping[str, object]


def read(name: str) -> list[Case]:
    cases = read_cases(Path(__file__).with_name(name))
    assert isinstance(cases, list)
    return cases


CASES = [*read("cases.yaml"), *read("more_cases.yaml"), *read("option_cases.yaml")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_case_goes_as_written(case: Case) -> None:
    assert run_cases([case]) == [CaseResult(str(case["id"]), ())]


def test_every_case_has_an_id_of_its_own() -> None:
    ids = [case["id"] for case in CASES]
    assert len(set(ids)) == len(ids)


LEAD = CASES[0]

WRONG = [
    ({"surprise": 1}, "unknown keys: surprise"),
    ({"opts": {"preset": "podkidnoy", "speed": 3}}, "no such option: speed"),
    ({"opts": {"preset": "whist"}}, "'whist' is not a valid Preset"),
    ({"opts": {"preset": "podkidnoy", "teams": "ALTERNATE"}}, "impossible options: "),
    ({"steps": ["P0 leads 7S"]}, "unknown verb: leads"),
    ({"steps": ["P0 "]}, "a move begins with a verb"),
    ({"steps": ["P9 attack 7S"]}, "no such seat: 'P9'"),
    ({"steps": ["P0 attack 1S"]}, "no such card: '1S'"),
    ({"expect": {"mood": "good"}}, "unknown expectation: mood"),
    ({"expect": {"stock": 9}}, "stock: 2, expected 9"),
    ({"steps": ["P0 attack KS"]}, "P0 attack KS: refused with NOT_IN_HAND, expected no refusal"),
    ({"steps": [{"P0 attack 7S": "OVER_LIMIT"}]}, "P0 attack 7S: accepted, expected OVER_LIMIT"),
    ({"steps": [{"P0 attack 7S": "OVER_LIMIT", "P0 pass": "OVER_LIMIT"}]}, "not a step: "),
    ({"hands": ["7S"]}, "not a mapping: ['7S']"),
    ({"stock": "7S"}, "not a list of text: '7S'"),
    ({"discarded": "two"}, "discarded: not a number: 'two'"),
    ({"discarded": True}, "discarded: not a number: True"),
    ({"discarded": -1}, "discarded: not a number: -1"),
    ({"discarded": 21}, "discarded: 21, but only 20 cards are left for it"),
    ({"steps": "P0 attack 7S"}, "steps: not a list: 'P0 attack 7S'"),
    ({"steps": None}, "steps: not a list: None"),
    ({"steps": [], "expect": {}}, "neither steps nor anything expected"),
    ({"hands": {"P0": ["7S"], "P1": ["7S", "7D"]}}, "7S is in 2 places"),
    ({"hands": {"P0": ["7S", "7S"], "P1": ["7D"]}}, "7S is in 2 places"),
    ({"hands": {"P0": ["7S"], "P1": ["6H"]}}, "6H is in 2 places"),
    ({"hands": {"P0": ["7S", "2S"], "P1": ["7D"]}}, "the deck has no 2S"),
    ({"hands": {"P0": ["7S", "JKR"], "P1": ["7D"]}}, "the deck has no JKR"),
    ({"stock": ["6C", "2H"]}, "the deck has no 2H"),
    ({"trump": "S"}, "the trump is S, but the open card 6H"),
    ({"trump": "SH"}, "no such suit: 'SH'"),
    ({"trump": None}, "no such suit: None"),
    ({"attacker": "P1", "hands": {"P0": ["7S"], "P1": []}}, "the attacker P1 has no cards"),
    ({"first_bout": "false"}, "first_bout: not true or false: 'false'"),
    ({"expect": {"over": 0}}, "over: not true or false: 0"),
    ({"expect": {"stock": "2"}}, "stock: not a number: '2'"),
    ({"expect": {"draws": {"P0": True}}}, "draws of P0: not a number: True"),
    ({"hands": {"P0": ["7S"]}}, "impossible options: ['there are 2 to 6 seats']"),
]


@pytest.mark.parametrize(("change", "failure"), WRONG)
def test_a_wrong_case_fails_and_says_why(change: Case, failure: str) -> None:
    [result] = run_cases([{**LEAD, **change}])
    assert result.failures[0].startswith(failure)


def test_a_case_without_steps_fails() -> None:
    [result] = run_cases([{key: said for key, said in LEAD.items() if key != "steps"}])
    assert result.failures == ("no steps",)


def test_the_second_case_of_one_id_fails() -> None:
    first, second = run_cases([LEAD, LEAD])
    assert first.failures == ()
    assert second == CaseResult(first.id, ("another case has this id",))


def test_who_draws_nothing_may_be_expected_to_draw_none() -> None:
    taken = ["P0 attack 7S", "P1 take", "P0 pass"]
    for draws, failures in (
        ({"P0": 1, "P1": 0}, ()),
        ({"P0": 1}, ()),
        ({"P0": 0}, ("draws: {'P0': 1}, expected {'P0': 0}",)),
    ):
        [result] = run_cases([{**LEAD, "steps": taken, "expect": {"draws": draws}}])
        assert result.failures == failures


BARREN = {
    "id": "barren",
    "opts": {"preset": "prostoy"},
    "trump": "H",
    "attacker": "P0",
    "hands": {"P0": ["6S", "7S"], "P1": ["8D", "9D"], "P2": ["TC", "JC"]},
    "stock": [],
}
LED = "6S TC 8D 7S JC 9D TC 8D 6S JC 9D 7S 8D 6S TC 9D 7S JC"


def test_sixty_bouts_without_progress_are_a_draw() -> None:
    """Everybody takes, and the same six cards go round (rules.md, 8.6)."""
    leads = zip(cycle([0, 2, 1]), cycle(LED.split()), range(60))
    steps = [
        step
        for leader, card, _ in leads
        for step in (f"P{leader} attack {card}", f"P{(leader + 1) % 3} take")
    ]
    over = {"over": True, "draw": True, "fool": None}
    assert run_cases([{**BARREN, "steps": steps, "expect": over}]) == [CaseResult("barren", ())]
    not_yet = {"over": False, "draw": False}
    before = {**BARREN, "steps": steps[:-1], "expect": not_yet}
    assert run_cases([before]) == [CaseResult("barren", ())]
