"""An alert tells of its trouble on a real server: here one, by `make try-alerts` all."""

from pathlib import Path

import yaml

from tests.alerts.hurried_rules import hurried
from tests.alerts.trial import seconds_until_told
from tests.alerts.troubles import SETTINGS, TROUBLES
from tests.operations.tools import MONITORING

RULES = (MONITORING / "alerts.yaml").read_text()


def test_there_is_a_trouble_for_every_alert() -> None:
    (group,) = yaml.safe_load(RULES)["groups"]
    assert [rule["alert"] for rule in group["rules"]] == list(TROUBLES)
    assert set(SETTINGS) <= set(TROUBLES)


def test_in_a_hurry_a_minute_lasts_a_second_and_nothing_else_changes() -> None:
    assert hurried("rate(up[5m]) > 0.25\n  for: 10m\n  summary: for 5m") == (
        "rate(up[5000ms]) > 0.25\n  for: 10000ms\n  summary: for 5m"
    )


async def test_a_store_that_takes_nothing_is_told(tmp_path: Path) -> None:
    assert await seconds_until_told("DurakStoreFailing", tmp_path) > 0
