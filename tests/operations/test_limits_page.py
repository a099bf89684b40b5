"""docs/limits.md says what the settings say."""

import re

import pytest

from durak_server.config import PREFIX, Settings
from tests.operations.tools import ROOT

PAGE = (ROOT / "docs" / "limits.md").read_text("utf-8")
ROWS = {
    setting.lower(): default
    for default, setting in re.findall(rf"^\| .+ \| (.+) \| `{PREFIX}(\w+)` \|", PAGE, re.MULTILINE)
}
COUNTED = [
    name
    for name, field in Settings.model_fields.items()
    if field.annotation in (int, float) and not name.endswith("_seconds")
]


@pytest.mark.parametrize("name", COUNTED)
def test_every_number_that_can_be_set_is_a_limit_on_the_page(name: str) -> None:
    assert name in ROWS


@pytest.mark.parametrize("name", ROWS)
def test_the_page_tells_the_default(name: str) -> None:
    assert re.match(rf"{Settings.model_fields[name].default}\b", ROWS[name])
