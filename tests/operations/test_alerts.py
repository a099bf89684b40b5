"""The alert rules: they load, they fire, they keep quiet, and somebody knows what to do."""

import re
from collections import defaultdict
from typing import Any

import yaml

from durak_server.observe.metrics import Metrics
from tests.operations.tools import MONITORING, ROOT, run

RULES = MONITORING / "alerts.yaml"
TRIALS = MONITORING / "alerts.test.yaml"
RUNBOOKS = ROOT / "docs" / "runbooks.md"
OF_PROMETHEUS = {"up", "process_start_time_seconds"}
OF_THE_DATA_FOLDER = {"durak_data_disk_bytes", "durak_data_disk_free_bytes"}


def alerts() -> list[dict[str, Any]]:  # Any: a rule, as Prometheus has it
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def test_prometheus_takes_the_rules() -> None:
    assert f"SUCCESS: {len(alerts())} rules found" in run("promtool", "check", "rules", str(RULES))


def test_the_rules_do_what_their_trials_say() -> None:
    assert "SUCCESS" in run("promtool", "test", "rules", str(TRIALS))


def test_every_alert_is_tried_with_a_trouble_and_with_none() -> None:
    fires: dict[str, set[bool]] = defaultdict(set)
    for trial in yaml.safe_load(TRIALS.read_text())["tests"]:
        for expected in trial["alert_rule_test"]:
            fires[expected["alertname"]].add(bool(expected["exp_alerts"]))
    assert fires == {alert["alert"]: {True, False} for alert in alerts()}


def test_every_alert_has_a_severity_a_summary_and_a_runbook() -> None:
    for alert in alerts():
        assert alert["labels"]["severity"] in {"page", "ticket"}
        assert alert["annotations"]["summary"].endswith(".")
        name = alert["alert"].lower()
        assert alert["annotations"]["runbook_url"] == f"docs/runbooks.md#{name}"


def test_every_runbook_is_of_an_alert_and_says_what_to_look_at_and_to_do() -> None:
    chapters = re.split(r"^## ", RUNBOOKS.read_text(), flags=re.MULTILINE)[1:]
    assert [chapter.split()[0] for chapter in chapters] == [alert["alert"] for alert in alerts()]
    for chapter in chapters:
        assert re.findall(r"^\*\*(.+?)\.\*\*", chapter, re.MULTILINE) == ["Means", "Look", "Do"]


def test_alerts_and_boards_name_metrics_that_the_server_has() -> None:
    metrics = Metrics("0")
    metrics.add_process_collectors()
    families = [family for family in metrics.registry.collect() if family.name]
    known = {family.name for family in families}
    expressions = " ".join(alert["expr"] for alert in alerts())
    expressions += " ".join(path.read_text() for path in (MONITORING / "boards").glob("*.yaml"))
    named = set(re.findall(r"\b((?:durak|grpc_server|process|python)_\w+)\{?", expressions))
    bare = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in named}
    assert bare - known - OF_THE_DATA_FOLDER - {"durak_data_bytes"} == set()
