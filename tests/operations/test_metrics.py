"""The metrics page of a server under traffic: well formed, documented, and of a bounded size."""

import asyncio
import re
import urllib.request
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from durak_server.app import DurakServer
from durak_server.config import Settings
from durak_server.matches import BotLevel, MatchReason, MatchStatus
from durak_server.observe.audit import Act
from durak_server.pb.durak.v1 import error_pb2
from durak_server.rules import DealEndReason, MoveKind, Preset, Reason
from tests.live_server import connected, running_server
from tests.operations.tools import ROOT, run
from tests.operations.traffic import Traffic

ROUNDS = 6
MOST_SERIES = 1_200
"""What a server's own metrics may come to, whatever the traffic."""

ERRORS = {name.removeprefix("ERROR_REASON_") for name in error_pb2.ErrorReason.keys()}  # noqa: SIM118  (an enum wrapper is no dict)
COMMANDS = {"AddBot", "CreateMatch", "JoinMatch", "LeaveMatch", "MakeMove", "StartMatch"}
STORE_FAILURES = {"StoreBusy", "StoreUnavailable", "StoreCorrupt"}
CLOSED_LISTS = {
    "act": {act.name for act in Act},
    "command": COMMANDS,
    "kind": {kind.name for kind in MoveKind}
    | {"TEXT", "PHRASE", "REACTION"}
    | {"OFFERED", "MADE"}
    | {"MOVE", "SAY", "FOLLOW", "UNFOLLOW"},
    "level": {level.name for level in BotLevel},
    "limit": set(Settings.model_fields) | {"lobby_streams_per_player"},
    "preset": {preset.name for preset in Preset},
    "reason": {each.value for names in (Reason, MatchReason) for each in names}
    | {reason.name for reason in DealEndReason}
    | STORE_FAILURES
    | ERRORS,
    "status": {status.name for status in MatchStatus},
}
"""Every value that a label may have."""

Series = tuple[str, tuple[tuple[str, str], ...]]


async def page_of(server: DurakServer) -> str:
    def read() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics") as page:
            text: bytes = page.read()
        return text.decode()

    return await asyncio.to_thread(read)


def own_series(page: str) -> set[Series]:
    return {
        (sample.name, tuple(sorted(sample.labels.items())))
        for family in text_string_to_metric_families(page)
        if family.name.startswith(("durak_", "grpc_"))
        for sample in family.samples
    }


async def test_traffic_of_strangers_adds_no_series_of_their_own(tmp_path: Path) -> None:
    settings = {"listen": "127.0.0.1:0", "metrics_listen": "127.0.0.1:0", "store": "sqlite"}
    async with (
        running_server(**settings, data=tmp_path / "data") as server,
        connected(server) as calls,
    ):
        traffic = Traffic(calls, seed=2)
        for _ in range(ROUNDS):
            await traffic.round()
        page = await page_of(server)

    series = own_series(page)
    assert 300 < len(series) < MOST_SERIES
    for name, closed in CLOSED_LISTS.items():
        seen = {value for _, labels in series for label, value in labels if label == name}
        assert seen
        assert seen - closed == set()
    assert len(traffic.seen_ids) > 12 * ROUNDS
    assert [name for name in traffic.seen_ids if name in page] == []
    assert "invented" not in page
    assert run("promtool", "check", "metrics", stdin=page) == ""


async def test_every_metric_of_the_page_is_in_the_document(tmp_path: Path) -> None:
    documented = set(
        re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "metrics.md").read_text(), re.M)
    )
    async with (
        running_server(metrics_listen="127.0.0.1:0", store="sqlite", data=tmp_path) as server,
    ):
        page = await page_of(server)

    exposed = set(re.findall(r"^# TYPE ((?:durak|grpc)_\w+)", page, re.MULTILINE))
    assert exposed - documented == set()
