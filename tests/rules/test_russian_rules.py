"""The Russian page has the clauses, options, values and presets of the English one."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
ENGLISH = (DOCS / "rules.md").read_text()
RUSSIAN = (DOCS / "rules.ru.md").read_text()


def clauses(page: str) -> list[str]:
    return re.findall(r"^(?:## )?(\d+(?:\.\d+)?) ", page, re.MULTILINE)


def marked(page: str) -> list[str]:
    """Return the clauses with decisions of our own, each as often as it has some."""
    parts = re.split(r"^(\d+\.\d+) ", page, flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return [clause for clause, text in pairs for _ in range(text.split("\n## ")[0].count("◆"))]


def named(page: str) -> list[tuple[str, ...]]:
    """Return for each row about an option or a preset the words in code type, in order."""
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    return [tuple(re.findall(r"`([A-Za-z_]+)`", row)) for row in rows]


def test_both_pages_have_the_same_clauses() -> None:
    assert clauses(RUSSIAN) == clauses(ENGLISH)


def test_both_pages_mark_the_same_decisions() -> None:
    assert marked(RUSSIAN) == marked(ENGLISH)


def test_both_pages_name_the_same_options_values_and_presets() -> None:
    assert named(RUSSIAN) == named(ENGLISH)
