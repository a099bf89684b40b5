"""Every record of a decision has a number of its own, in its name and in its title."""

import re
from pathlib import Path

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "adr"


def test_the_records_are_numbered_without_a_gap() -> None:
    names = sorted(path.name for path in RECORDS.iterdir())
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


def test_a_title_bears_the_number_of_its_file() -> None:
    for path in RECORDS.iterdir():
        title = path.read_text("utf-8").partition("\n")[0]
        assert re.fullmatch(rf"# {int(path.name[:4])}\. \S.*", title), path.name
