"""Every sentence of the folk texts is shown by something that exists."""

from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
SOURCES: dict[str, list[str]] = yaml.safe_load((HERE / "sources.yaml").read_text())
CASES = {
    case["id"]
    for name in ("cases.yaml", "more_cases.yaml", "option_cases.yaml")
    for case in yaml.safe_load((HERE / name).read_text())
}

# Sentences that state no rule: headings, names, advice, praise.
NO_RULE = {
    0: {1, 2, 6, 7, 8, 12, 14, 31, 38, 39, 41, 42, 44, 51, 52, 56, 58, 75, 83},
    1: {1, 5, 11, 39, 68, 74, 75},
}


@pytest.mark.parametrize(("text", "sentences"), [(0, 83), (1, 75)])
def test_every_sentence_that_states_a_rule_is_listed(text: int, sentences: int) -> None:
    stated = set(range(1, sentences + 1)) - NO_RULE[text]
    assert [name for name in SOURCES if name.startswith(f"S{text}-")] == [
        f"S{text}-{number}" for number in sorted(stated)
    ]


@pytest.mark.parametrize("shown_by", SOURCES.values(), ids=str)
def test_what_is_referred_to_exists(shown_by: list[str]) -> None:
    assert shown_by
    for reference in shown_by:
        file, _, name = reference.partition("::")
        if name:
            assert f"\ndef {name}(" in (HERE / file).read_text()
        else:
            assert reference in CASES
