"""The file of the SQLite store, and what is told when it cannot be used."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from durak_server.matches import MatchStatus
from durak_server.store import MatchQuery, PageRequest, SqliteStore, StoreCorrupt, StoreNotUsable
from durak_server.store.backup import back_up
from durak_server.store.schema import MIGRATIONS
from durak_server.store.sqlite_file import StoreFile
from tests.nobody import as_nobody
from tests.store.logs import log


async def test_commits_are_synced_to_a_write_ahead_log(tmp_path: Path) -> None:
    file = StoreFile(tmp_path / "durak.db")
    settings = [
        file.writer.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "user_version")
    ]
    assert settings == ["wal", 2, len(MIGRATIONS)]
    file.close()


def test_only_the_owner_of_a_store_reads_it_and_its_copies(tmp_path: Path) -> None:
    file = StoreFile(tmp_path / "durak.db")
    back_up(file.path, tmp_path / "copy.db")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    file.close()

    del modes["durak.db.lock"]  # empty
    files = ["durak.db", "durak.db-wal", "durak.db-shm", "durak.db.open", "copy.db"]
    assert modes == dict.fromkeys(files, 0o600)


async def test_a_folder_that_cannot_be_written_is_named() -> None:
    with read_only_folder() as folder, pytest.raises(StoreNotUsable, match=f"cannot use {folder}"):
        await SqliteStore.open(folder / "durak.db")


async def test_a_file_that_cannot_be_written_is_named() -> None:
    with (
        read_only_file() as path,
        pytest.raises(StoreNotUsable, match=f"cannot use {path}: .*readonly"),
    ):
        await SqliteStore.open(path)


@contextmanager
def read_only_folder() -> Iterator[Path]:
    """Act as one who may not write into a folder."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        with as_nobody():
            yield Path(name)


@contextmanager
def read_only_file() -> Iterator[Path]:
    """Act as one who may read a store's file, and write into its folder."""
    with TemporaryDirectory() as name:
        path = Path(name) / "durak.db"
        StoreFile(path).close()
        path.chmod(0o444)
        path.with_name("durak.db.lock").chmod(0o666)
        Path(name).chmod(0o777)
        with as_nobody():
            yield path


async def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreNotUsable, match=f"cannot use {tmp_path}: "):
        await SqliteStore.open(tmp_path)


async def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    path.write_bytes(b"My dear diary, " * 1_000)
    with pytest.raises(StoreCorrupt, match=r"durak\.db: file is not a database"):
        await SqliteStore.open(path)
    assert path.read_bytes() == b"My dear diary, " * 1_000


async def test_a_damaged_file_is_told_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    for number in range(20):
        await log(f"m{number}", made=number, status=MatchStatus.FINISHED).keep(store)
    await store.close()
    damage(path)
    with pytest.raises(StoreCorrupt, match=r"durak\.db: "):
        await SqliteStore.open(path)


def damage(path: Path) -> None:
    """Overwrite everything behind the first page."""
    content = bytearray(path.read_bytes())
    content[4096:] = b"\x5a" * (len(content) - 4096)
    path.write_bytes(content)


async def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    await (await SqliteStore.open(path)).close()
    newer = len(MIGRATIONS) + 1
    set_version(path, newer)
    with pytest.raises(StoreNotUsable, match=f"schema is version {newer}, newer than the"):
        await SqliteStore.open(path)
    set_version(path, len(MIGRATIONS))
    await (await SqliteStore.open(path)).close()


def set_version(path: Path, version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


async def test_a_record_that_is_not_understood_is_told_to_its_reader_alone(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    await log("good").keep(store)
    await log("bad").keep(store)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE records SET body = x'7b7d' WHERE match_id = 'bad' AND sequence = 2")
    connection.commit()
    connection.close()
    with pytest.raises(StoreCorrupt, match="record 2: "):
        await store.read("bad")
    assert len(await store.read("bad", 2)) == 1
    assert len(await store.read("good")) == 3
    await store.close()


async def test_a_match_that_is_not_understood_is_told_when_it_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "durak.db"
    store = await SqliteStore.open(path)
    await log("odd").keep(store)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE matches SET spectators = 'TOMORROW'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreCorrupt, match="match odd: 'TOMORROW' is not a valid Spectators"):
        await store.list_public(MatchQuery(), PageRequest())
    await store.close()
