"""What was acknowledged is on the disk, however the process ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from durak_server.matches import History, summary
from durak_server.store import SqliteStore, StoreInUse, StoreNotUsable
from durak_server.store.backup import back_up, restore
from tests.store.logs import log

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("lines", [1, 50, 400])
async def test_a_killed_process_loses_nothing_that_it_acknowledged(
    tmp_path: Path, lines: int
) -> None:
    path = tmp_path / "durak.db"
    acknowledged = acknowledged_until_killed(path, lines)
    store = await SqliteStore.open(path)
    for match_id, sequence in acknowledged.items():
        records = await store.read(match_id)
        history = History(records)
        assert history.sequence >= sequence
        assert history.match
        page = await store.find_invite(summary(history.match).invite_code)
        assert page == match_id
    await store.close()


def acknowledged_until_killed(path: Path, lines: int) -> dict[str, int]:
    """Return to which sequence each log was said to be kept before a kill -9."""
    acknowledged: dict[str, int] = {}
    with appender(path) as process:
        assert process.stdout
        for _ in range(lines):
            _note(acknowledged, process.stdout.readline())
        process.kill()
        for line in process.stdout.read().splitlines(keepends=True):
            _note(acknowledged, line)
    return acknowledged


def appender(path: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.appender", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def _note(acknowledged: dict[str, int], line: str) -> None:
    # The kill may have cut the last line.
    if line.endswith("\n"):
        match_id, sequence = line.split()
        acknowledged[match_id] = int(sequence)


async def test_a_second_process_is_refused_while_the_first_runs_and_not_after(
    tmp_path: Path,
) -> None:
    path = tmp_path / "durak.db"
    with appender(path) as process:
        assert process.stdout
        process.stdout.readline()
        with pytest.raises(StoreInUse, match=r"durak\.db is in use by another process"):
            await SqliteStore.open(path)
        process.kill()
    store = await SqliteStore.open(path)
    await log("after").keep(store)
    await store.close()


async def test_a_file_is_opened_once_in_a_process_too(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    with pytest.raises(StoreInUse):
        await SqliteStore.open(path)
    await store.close()
    again = await SqliteStore.open(path)
    await again.close()


async def test_a_killed_store_without_its_write_ahead_log_is_refused_until_it_is_back(
    tmp_path: Path,
) -> None:
    path, log_file = tmp_path / "durak.db", tmp_path / "durak.db-wal"
    acknowledged = acknowledged_until_killed(path, lines=50)
    kept_elsewhere = log_file.rename(tmp_path / "taken away")
    for _ in range(2):
        with pytest.raises(StoreNotUsable, match=r"durak\.db-wal, which holds what was stored"):
            await SqliteStore.open(path)

    kept_elsewhere.rename(log_file)

    store = await SqliteStore.open(path)
    for match_id, sequence in acknowledged.items():
        assert len(await store.read(match_id)) >= sequence
    await store.close()


async def test_whoever_does_without_what_is_missing_removes_the_mark(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    acknowledged_until_killed(path, lines=1)
    (tmp_path / "durak.db-wal").unlink()
    (tmp_path / "durak.db.open").unlink()
    await (await SqliteStore.open(path)).close()


async def test_a_copy_takes_the_place_of_a_killed_store_without_its_log(tmp_path: Path) -> None:
    path, copy = tmp_path / "durak.db", tmp_path / "copy.db"
    await (await SqliteStore.open(path)).close()
    back_up(path, copy)
    acknowledged_until_killed(path, lines=1)
    (tmp_path / "durak.db-wal").unlink()

    restore(copy, path, replace=True)

    await (await SqliteStore.open(path)).close()


async def test_a_store_that_was_closed_needs_no_log(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    await log("m").keep(store)
    await store.close()
    assert files_in(tmp_path) == ["durak.db", "durak.db.lock"]
    again = await SqliteStore.open(path)
    assert await again.read("m")
    await again.close()


def files_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())
