"""Every line of the page of pitfalls is shown by a test or a worked case that exists."""

import re
from pathlib import Path

import pytest
import yaml

from tests.rules.test_references import CASES

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "pitfalls.md").read_text()
NAMED = re.findall(r"^\| (P-[A-Z]+-\d+) \|", PAGE, re.MULTILINE)
SHOWN_BY: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "shown_by.yaml").read_text()
)


def test_the_names_of_each_part_are_numbered_from_one() -> None:
    parts = dict.fromkeys(name.rpartition("-")[0] for name in NAMED)
    numbers = [
        f"{part}-{number}"
        for part in parts
        for number in range(1, sum(name.startswith(f"{part}-") for name in NAMED) + 1)
    ]
    assert numbers == NAMED


def test_the_pitfalls_of_the_page_are_those_that_are_shown() -> None:
    assert list(SHOWN_BY) == NAMED


@pytest.mark.parametrize("pitfall", NAMED)
def test_what_shows_a_pitfall_exists(pitfall: str) -> None:
    assert SHOWN_BY[pitfall]
    for reference in SHOWN_BY[pitfall]:
        file, _, name = reference.partition("::")
        if name:
            assert re.search(rf"^(async )?def {name}\(", (TESTS / file).read_text(), re.M), name
        else:
            assert reference in CASES
