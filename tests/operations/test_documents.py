"""The operators' pages say what the code says."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from durak_server.cli import app
from durak_server.config import PREFIX, Settings
from scripts.gen_docs import PAGES, TABLES, with_tables
from tests.operations.tools import ROOT

each_page = pytest.mark.parametrize(
    "page",
    [
        *PAGES,
        *(
            ROOT / "docs" / name
            for name in ("identity.md", "limits.md", "runbooks.md", "security.md")
        ),
    ],
    ids=lambda page: page.name,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_are_up_to_date(page: Path) -> None:
    assert page.read_text("utf-8") == with_tables(page)


def test_every_table_stands_in_a_page() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    assert sorted(re.findall(r"<!-- generated: (\w+) -->", text)) == sorted(TABLES)


def test_every_setting_has_a_line() -> None:
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    lines = re.findall(rf"^\| `{PREFIX}(\w+)` \|", text, re.MULTILINE)
    assert lines == [name.upper() for name in Settings.model_fields]


def test_docker_is_told_to_wait_until_a_drain_is_over() -> None:
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    (seconds,) = re.findall(r"^    docker run --stop-timeout (\d+) ", text, re.MULTILINE)
    drain = [Settings.model_fields[f"drain_{part}_seconds"].default for part in ("settle", "grace")]
    assert int(seconds) >= sum(drain) + 3


@each_page
def test_the_settings_and_metrics_that_are_spoken_of_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"\bDURAK_[A-Z_]+\b", text)) <= known
    metrics = (ROOT / "docs" / "metrics.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", metrics, re.MULTILINE))
    spoken = set(re.findall(r"`(durak_\w+|grpc_server_\w+)", text))
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in spoken} <= listed


@each_page
def test_the_commands_that_are_spoken_of_exist(page: Path) -> None:
    spoken = set(
        re.findall(r"durak-server ((?:log |admin )?[a-z][a-z-]*)", page.read_text("utf-8"))
    )
    for command in spoken:
        assert CliRunner().invoke(app, [*command.split(), "--help"]).exit_code == 0


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
