"""Grafana's boards: generated, of the right form, and every panel shows something."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from durak_server.pb.durak.v1 import play_service_pb2
from scripts.gen_monitoring import generated, is_current
from tests.live_server import connected, running_server
from tests.operations.scraping import JOB, Prometheus, prometheus
from tests.operations.tools import MONITORING, ROOT, run
from tests.operations.traffic import Traffic

BOARDS = sorted((MONITORING / "dashboards").glob("*.json"))
GRAFANA = ROOT / "tests" / "operations" / "grafana"
LEAST_SCRAPES = 12
FOLLOWING = {
    method.name
    for method in play_service_pb2.DESCRIPTOR.services_by_name["PlayService"].methods
    if method.server_streaming
}
VARIABLES = {"$job": JOB, "$instance": ".+", "$__rate_interval": "10m"}


def queries() -> Iterator[tuple[str, str]]:
    """Yield every panel's queries: where they stand, and the expression with variables chosen."""
    for path in BOARDS:
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel.get("targets", ()):
                expression = target["expr"]
                for name, value in VARIABLES.items():
                    expression = expression.replace(name, value)
                yield f"{path.stem}: {panel['title']}: {target['legendFormat']}", expression


def test_the_generated_files_are_up_to_date() -> None:
    assert [path for path, text in generated().items() if not is_current(path, text)] == []
    assert sorted(path for path in generated() if path.suffix == ".json") == BOARDS


def test_grafanas_own_types_accept_every_board(tmp_path: Path) -> None:
    lines = ["import type { Dashboard } from '@grafana/schema';"]
    lines += [f"export const {path.stem}: Dashboard = {path.read_text()};" for path in BOARDS]
    (tmp_path / "node_modules").symlink_to(GRAFANA / "node_modules")
    source = tmp_path / "boards.ts"
    source.write_text("\n".join(lines))
    options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--target", "es2022"]
    run(str(GRAFANA / "node_modules" / ".bin" / "tsc"), *options, str(source))


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_panels_stand_side_by_side_and_explain_themselves(path: Path) -> None:
    board: dict[str, Any] = json.loads(path.read_text())  # Any: Grafana's model
    taken = [
        (x, y)
        for panel in board["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24
    ids = [panel["id"] for panel in board["panels"]]
    assert ids == list(range(1, len(ids) + 1))
    assert all(panel["description"] for panel in board["panels"] if panel["type"] != "row")
    assert board["uid"] == f"durak-{path.stem}"


async def test_every_query_of_every_panel_finds_data(tmp_path: Path) -> None:
    settings = {"listen": "127.0.0.1:0", "metrics_listen": "127.0.0.1:0", "store": "sqlite"}
    async with (
        running_server(**settings, data=tmp_path / "data", lag_allowance_seconds=0) as server,
        connected(server) as calls,
        prometheus(tmp_path, server.metrics_port, MONITORING / "alerts.yaml") as watching,
    ):
        traffic = Traffic(calls, seed=1)
        while not await scrapes(watching):
            await traffic.round()
        await traffic.let_time_run_out()
        seen_twice = await scrapes(watching) + 2
        while await scrapes(watching) < max(LEAST_SCRAPES, seen_twice):
            await traffic.round()
        found = {where: await data(watching, query, traffic) for where, query in queries()}
        alerts = await watching.alert_names()

    assert [where for where, values in found.items() if not has_data(values)] == []
    for where, values in found.items():
        if where.startswith(("streams: Streams begun and ended", "streams: Messages sent")):
            assert {labels.get("grpc_method") for labels, _ in values} == FOLLOWING
    assert len(alerts) == (MONITORING / "alerts.yaml").read_text().count("- alert: ")


Values: TypeAlias = list[tuple[dict[str, str], float]]


def has_data(values: Values) -> bool:
    return any(math.isfinite(value) for _, value in values)


async def data(watching: Prometheus, query: str, traffic: Traffic) -> Values:
    """Return what a query finds, once it finds data; at last what it found ten scrapes later.

    A scrape that a busy machine answers too late leaves nothing to be seen until the next.
    """
    last = await scrapes(watching) + 10
    while not has_data(values := await watching.query(query)) and await scrapes(watching) < last:
        await traffic.round()
    return values


async def scrapes(watching: Prometheus) -> float:
    """Return how often the server was scraped."""
    found = await watching.query("sum(count_over_time(durak_build_info[10m]))")
    return found[0][1] if found else 0
