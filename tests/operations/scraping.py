"""A real Prometheus that scrapes a real server."""

import asyncio
import json
import re
import urllib.parse
import urllib.request
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

JOB = "durak"
INTERVAL = "200ms"


class Prometheus:
    """A running Prometheus."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/v1"

    async def query(self, expression: str) -> list[tuple[dict[str, str], float]]:
        """Return the labels and values of an expression now."""
        found = await self._get("query", query=expression)
        return [(each["metric"], float(each["value"][1])) for each in found["result"]]

    async def alert_names(self) -> list[str]:
        """Return the names of the alerting rules in force."""
        (group,) = (await self._get("rules"))["groups"]
        return [rule["name"] for rule in group["rules"]]

    async def firing(self) -> set[str]:
        """Return the names of the alerts that fire now."""
        alerts = (await self._get("alerts"))["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    async def _get(self, path: str, **query: str) -> Any:  # Any: as the API answers
        url = f"{self._url}/{path}?{urllib.parse.urlencode(query)}"
        text = await asyncio.to_thread(_read, url)
        answer = json.loads(text)
        assert answer["status"] == "success", answer
        return answer["data"]


def _read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as page:
        body: bytes = page.read()
    return body


@asynccontextmanager
async def prometheus(folder: Path, metrics_port: int, rules: Path) -> AsyncIterator[Prometheus]:
    """Scrape 127.0.0.1:`metrics_port` five times a second until the end of the block."""
    config = folder / "prometheus.yaml"
    config.write_text(yaml.safe_dump(_config(metrics_port, rules)))
    process = await create_subprocess_exec(
        "prometheus",
        f"--config.file={config}",
        f"--storage.tsdb.path={folder / 'tsdb'}",
        "--web.listen-address=127.0.0.1:0",
        stdout=DEVNULL,
        stderr=PIPE,
    )
    assert process.stderr
    try:
        port = await _port(process.stderr)
        reading = asyncio.create_task(process.stderr.read())  # a full pipe would stop it
        yield Prometheus(port)
    finally:
        process.kill()
        await process.wait()
    await reading


async def _port(log: asyncio.StreamReader) -> int:
    """Read the log until Prometheus answers queries, and return where it does."""
    lines = ""
    while line := (await log.readline()).decode():
        lines += line
        if "Server is ready to receive web requests" in line:
            found = re.search(r'msg="Listening on" address=127\.0\.0\.1:(\d+)', lines)
            assert found, lines
            return int(found[1])
    raise AssertionError(lines)


def _config(metrics_port: int, rules: Path) -> dict[str, Any]:  # Any: YAML
    return {
        "global": {
            "scrape_interval": INTERVAL,
            "scrape_timeout": INTERVAL,
            "evaluation_interval": INTERVAL,
        },
        "rule_files": [str(rules)],
        "scrape_configs": [
            {"job_name": JOB, "static_configs": [{"targets": [f"127.0.0.1:{metrics_port}"]}]}
        ],
    }
