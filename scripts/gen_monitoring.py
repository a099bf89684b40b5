"""Write Grafana's dashboards and the operator's alert rules, or check that they are up to date.

`k8s/monitoring/boards/*.yaml` describe the dashboards: rows of panels, each with its queries.
`$of` in a query stands for the servers that are looked at. `k8s/monitoring/alerts.yaml` is a rule
file as Prometheus and promtool read it; the operator wants the same inside a resource.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
MONITORING = ROOT / "k8s" / "monitoring"

WIDTH = 24
"""Grafana's grid: every row of panels fills it."""
PANEL_HEIGHT = 8
SERVERS = 'job=~"$job", instance=~"$instance"'
PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}

Json = dict[str, Any]  # Any: whatever Grafana's model or a board's YAML has there


def main() -> int:
    """Write the files, or with `--check` say which are out of date and return 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check: bool = parser.parse_args().check
    stale = {path: text for path, text in generated().items() if not is_current(path, text)}
    for path, text in stale.items():
        if check:
            print(f"{path.relative_to(ROOT)} is out of date: run `make docs`")
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


def is_current(path: Path, text: str) -> bool:
    """Tell whether a file holds a text."""
    return path.exists() and path.read_text(encoding="utf-8") == text


def generated() -> dict[Path, str]:
    """Return every generated file's text."""
    boards = sorted((MONITORING / "boards").glob("*.yaml"))
    files = {
        MONITORING / "dashboards" / f"{board.stem}.json": json.dumps(
            dashboard(board.stem, yaml.safe_load(board.read_text())), indent=2
        )
        + "\n"
        for board in boards
    }
    files[MONITORING / "prometheus_rule.yaml"] = prometheus_rule(
        yaml.safe_load((MONITORING / "alerts.yaml").read_text())
    )
    return files


def prometheus_rule(rules: Mapping[str, Any]) -> str:  # Any: a rule file, passed on as it is
    """Return the operator's resource for a rule file."""
    resource = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "durak"},
        "spec": rules,
    }
    text = yaml.safe_dump(resource, sort_keys=False, width=100, allow_unicode=True)
    return f"# Generated from alerts.yaml by scripts/gen_monitoring.py.\n{text}"


def dashboard(name: str, board: Json) -> Json:
    """Return Grafana's model of a board; `name` is part of its address."""
    return {
        "uid": f"durak-{name}",
        "title": board["title"],
        "description": board["about"],
        "tags": ["durak"],
        "schemaVersion": 39,
        "editable": True,
        "graphTooltip": 1,  # one crosshair for all panels
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": variables()},
        "links": [link_to_the_others()],
        "panels": list(panels(board["rows"])),
    }


def variables() -> list[Json]:
    """Return what a reader may choose: the data source and the servers."""
    source = {"name": "datasource", "label": "Data source", "type": "datasource"}
    return [
        {**source, "query": "prometheus"},
        chosen_label("job", "label_values(durak_build_info, job)"),
        chosen_label("instance", 'label_values(durak_build_info{job=~"$job"}, instance)'),
    ]


def chosen_label(name: str, query: str) -> Json:
    """Return a variable for a label of which any values may be chosen; all are at first."""
    return {
        "name": name,
        "label": name.capitalize(),
        "type": "query",
        "datasource": PROMETHEUS,
        "query": {"query": query, "refId": name},
        "refresh": 2,  # when the time range changes
        "multi": True,
        "includeAll": True,
        "allValue": ".+",
        "current": {"text": "All", "value": "$__all"},
    }


def link_to_the_others() -> Json:
    """Return a menu of all durak boards that keeps time range and variables."""
    return {
        "title": "Durak",
        "type": "dashboards",
        "tags": ["durak"],
        "asDropdown": True,
        "includeVars": True,
        "keepTime": True,
        "targetBlank": False,
        "icon": "external link",
        "tooltip": "",
        "url": "",
    }


def panels(rows: list[Json]) -> Iterator[Json]:
    """Yield each row's headline, then its panels side by side."""
    number, y = 1, 0
    for row in rows:
        place = {"x": 0, "y": y, "w": WIDTH, "h": 1}
        yield {
            "id": number,
            "type": "row",
            "title": row["title"],
            "collapsed": False,
            "gridPos": place,
            "panels": [],
        }
        width = WIDTH // len(row["panels"])
        for column, panel in enumerate(row["panels"]):
            place = {"x": column * width, "y": y + 1, "w": width, "h": PANEL_HEIGHT}
            yield time_series(number + 1 + column, panel, place)
        number += 1 + len(row["panels"])
        y += 1 + PANEL_HEIGHT


def time_series(number: int, panel: Json, place: Json) -> Json:
    """Return a panel that draws its queries over time."""
    return {
        "id": number,
        "type": "timeseries",
        "title": panel["title"],
        "description": panel["about"],
        "datasource": PROMETHEUS,
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel["unit"], "min": 0}, "overrides": []},
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
        "targets": [
            {
                "refId": chr(ord("A") + index),
                "datasource": PROMETHEUS,
                "expr": query["expr"].replace("$of", SERVERS),
                "legendFormat": query["legend"],
                "range": True,
            }
            for index, query in enumerate(panel["queries"])
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
