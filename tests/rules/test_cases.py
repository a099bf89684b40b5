from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from durak_server.rules import CaseResult, run_cases

Case = Mapping[str, object]


def read(name: str) -> list[Case]:
    cases: list[Case] = yaml.safe_load(Path(__file__).with_name(name).read_text())
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
    ({"steps": ["P9 attack 7S"]}, "no such seat: 'P9'"),
    ({"steps": ["P0 attack 1S"]}, "no such card: '1S'"),
    ({"expect": {"mood": "good"}}, "unknown expectation: mood"),
    ({"expect": {"stock": 9}}, "stock: 2, expected 9"),
    ({"steps": ["P0 attack KS"]}, "P0 attack KS: refused with NOT_IN_HAND, expected no refusal"),
    ({"steps": [{"P0 attack 7S": "OVER_LIMIT"}]}, "P0 attack 7S: accepted, expected OVER_LIMIT"),
    ({"steps": [{"P0 attack 7S": "OVER_LIMIT", "P0 pass": "OVER_LIMIT"}]}, "not a step: "),
    ({"hands": ["7S"]}, "not a mapping: ['7S']"),
    ({"stock": "7S"}, "not a list of text: '7S'"),
    ({"discarded": "two"}, "not a number: 'two'"),
    ({"hands": {"P0": ["7S"]}}, "impossible options: ['there are 2 to 6 seats']"),
]


@pytest.mark.parametrize(("change", "failure"), WRONG)
def test_a_wrong_case_fails_and_says_why(change: Case, failure: str) -> None:
    [result] = run_cases([{**LEAD, **change}])
    assert result.failures[0].startswith(failure)
