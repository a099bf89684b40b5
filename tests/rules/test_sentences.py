"""The page of sentences, the list of tests and the options tell the same story."""

import re
from pathlib import Path

import pytest

from durak_server.rules.options import option_value
from tests.rules.test_cases import CASES
from tests.rules.test_option_values import rules_of
from tests.rules.test_references import SOURCES

DOCS = Path(__file__).parents[2] / "docs"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (DOCS / "sources.md").read_text().splitlines()
    if line.startswith("| S")
]
RULES_BY_CASE = {case["id"]: rules_of(case) for case in CASES}
OPTIONS = [
    pytest.param(sentence, name, value, id=f"{sentence} {name}={value}")
    for sentence, _, _, options in ROWS
    for name, value in re.findall(r"`(\w+)` = `(\w+)`", options)
]
WORDS = {"on": True, "off": False}


def test_every_sentence_has_its_row_in_order() -> None:
    assert [row[0] for row in ROWS] == [
        f"S{text}-{number}" for text, last in ((0, 83), (1, 75)) for number in range(1, last + 1)
    ]


def test_the_sentences_that_state_a_rule_are_those_with_tests() -> None:
    assert {sentence for sentence, _, clause, _ in ROWS if clause != "—"} == set(SOURCES)


def test_every_clause_named_is_one_of_the_page_of_rules() -> None:
    page = (DOCS / "rules.md").read_text()
    clauses = set(re.findall(r"^(?:## )?(\d+(?:\.\d+)?) ", page, re.MULTILINE))
    named = {clause for row in ROWS if row[2] != "—" for clause in row[2].split(", ")}
    assert named <= clauses


@pytest.mark.parametrize(("sentence", "name", "text"), OPTIONS)
def test_a_sentence_is_shown_under_the_option_it_needs(sentence: str, name: str, text: str) -> None:
    value = option_value(name, WORDS.get(text, text))
    shown_by = [RULES_BY_CASE[case] for case in SOURCES[sentence] if case in RULES_BY_CASE]
    assert not shown_by or any(getattr(rules, name) == value for rules in shown_by)
