"""A killed store whose write-ahead log was taken away is refused by every command alike."""

import shutil
from pathlib import Path

import pytest

from durak_server.store import SqliteStore
from tests.app.commands import run
from tests.store.logs import log

COMMANDS = {
    "serve": ("serve", "--listen", "127.0.0.1:0", "--metrics-listen", ""),
    "log list": ("log", "list"),
    "log show": ("log", "show", "early"),
    "log check": ("log", "check"),
    "log archive": ("log", "archive", "--older-than", "0d"),
    "backup": ("backup", "copy.sqlite"),
}


@pytest.fixture
async def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of a killed server without its log, in which the match `late` was stored."""
    whole, data = tmp_path / "whole", tmp_path / "data"
    store = await SqliteStore.open(whole / "durak.sqlite")
    await log("early").keep(store)
    await store.close()
    store = await SqliteStore.open(whole / "durak.sqlite")
    await log("late").keep(store)
    data.mkdir()
    for name in ("durak.sqlite", "durak.sqlite.open", "durak.sqlite.lock"):
        shutil.copy(whole / name, data / name)
    shutil.copy(whole / "durak.sqlite-wal", tmp_path / "taken away")
    await store.close()
    monkeypatch.chdir(tmp_path)
    return data


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def listed(data: Path) -> set[str]:
    rows = run("log", "list", "--data", str(data)).output.splitlines()[1:]
    return {row.split()[0] for row in rows}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_command_refuses_it_and_leaves_every_file_as_it_is(
    cut: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    before = contents(tmp_path)
    for _ in range(2):
        ended = run(*command, "--data", str(cut))
        assert (ended.code, ended.output) == (1, "")
        (said,) = ended.errors.splitlines()
        assert said.startswith(f"durak-server: cannot use {cut / 'durak.sqlite'}: it was not ")
        assert said.endswith("remove durak.sqlite.open")
        assert contents(tmp_path) == before


def test_nothing_is_restored_from_it(cut: Path, tmp_path: Path) -> None:
    before = contents(cut)
    ended = run("restore", str(cut / "durak.sqlite"), "--data", str(tmp_path / "other"))
    assert (ended.code, ended.output) == (1, "")
    assert "is gone: put it back" in ended.errors
    assert contents(cut) == before
    assert not (tmp_path / "other" / "durak.sqlite").exists()


def test_its_log_put_back_makes_it_whole(cut: Path, tmp_path: Path) -> None:
    assert run("log", "list", "--data", str(cut)).code == 1
    (tmp_path / "taken away").rename(cut / "durak.sqlite-wal")
    assert listed(cut) == {"early", "late"}


def test_every_command_opens_it_once_its_mark_is_removed_on_purpose(
    cut: Path, tmp_path: Path
) -> None:
    (cut / "durak.sqlite.open").unlink()
    assert listed(cut) == {"early"}
    for name in ("log show", "log check", "log archive", "backup"):
        assert run(*COMMANDS[name], "--data", str(cut)).code == 0, name
    assert run("restore", "copy.sqlite", "--data", str(tmp_path / "other")).code == 0


def test_a_copy_that_could_not_take_its_place_leaves_it_refused(
    cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("backup", "copy.sqlite", "--data", str(tmp_path / "whole"))
    replacing = ("restore", "copy.sqlite", "--replace", "--data", str(cut))

    def die(_part: Path, _target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(Path, "replace", die)
        run(*replacing)
    assert "it was not closed" in run("log", "check", "--data", str(cut)).errors
    assert run(*replacing).code == 0
    assert listed(cut) == {"early", "late"}
