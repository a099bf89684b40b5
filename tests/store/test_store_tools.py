"""Checking, archiving, backing up and restoring a store's file."""

import asyncio
import gzip
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from durak_server.matches import MatchStatus
from durak_server.store import SqliteStore, StoreCorrupt, StoreInUse, StoreNotUsable
from durak_server.store.archive import pack_match, unpack_match
from durak_server.store.archiving import IdArchived, archiving
from durak_server.store.backup import back_up, restore
from durak_server.store.event_kinds import RECORDS
from durak_server.store.log_check import problems_of_match
from durak_server.store.read_only import reading
from durak_server.store.schema import MIGRATIONS
from tests.matches.tabletop import NOON
from tests.store.logs import Log, log

FINISHED = log("finished", status=MatchStatus.FINISHED)
PLAYING = log("playing", made=1, status=MatchStatus.PLAYING)
ABANDONED = log("abandoned", made=2, status=MatchStatus.ABANDONED)
LOGS = (FINISHED, PLAYING, ABANDONED)


async def keep_all(store: SqliteStore) -> None:
    for one in LOGS:
        await one.keep(store)


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """The file of a store that nobody has open."""
    path = tmp_path / "durak.sqlite"
    store = await SqliteStore.open(path)
    await keep_all(store)
    await store.close()
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def problems(path: Path) -> dict[str, list[str]]:
    with reading(path) as store:
        return {match_id: problems_of_match(store, match_id) for match_id in store.match_ids()}


SOUND: dict[str, list[str]] = {"abandoned": [], "finished": [], "playing": []}


def test_a_store_that_was_closed_is_sound(path: Path) -> None:
    assert problems(path) == SOUND


async def test_a_store_is_checked_beside_the_server_that_has_it_open(path: Path) -> None:
    store = await SqliteStore.open(path)
    try:
        later = log("later", made=3)
        await later.keep(store)
        assert problems(path) == SOUND | {"later": []}
    finally:
        await store.close()


UNSOUND = [
    ("DELETE FROM records WHERE match_id = 'playing' AND sequence = 2", "record 2 is missing"),
    (
        """UPDATE records SET body = CAST(replace(body, 'player_joined', 'player_flew') AS BLOB)
        WHERE match_id = 'playing' AND sequence = 2""",
        "record 2: 'player_flew' is unknown or missing",
    ),
    (
        """UPDATE records SET body = CAST(replace(body, '"version":1', '"version":9') AS BLOB)
        WHERE match_id = 'playing' AND sequence = 2""",
        "record 2: version 9 is unknown",
    ),
    (
        "UPDATE records SET body = x'7B' WHERE match_id = 'playing' AND sequence = 2",
        "record 2: Input data was truncated",
    ),
    (
        "UPDATE matches SET deal = 7 WHERE match_id = 'playing'",
        "the catalogue says something else than the records",
    ),
    (
        "UPDATE matches SET status = 'LOST' WHERE match_id = 'playing'",
        "match playing: 'LOST' is not a valid MatchStatus",
    ),
    (
        "DELETE FROM matches WHERE match_id = 'playing'",
        "it has records and is not in the catalogue",
    ),
    (
        "DELETE FROM records WHERE match_id = 'playing'",
        "it is in the catalogue and has no records",
    ),
    (
        """UPDATE records SET body = (SELECT body FROM records WHERE match_id = 'finished'
        AND sequence = 1) WHERE match_id = 'playing' AND sequence = 1""",
        "its first record makes the match finished",
    ),
]


@pytest.mark.parametrize(("damage", "said"), UNSOUND)
def test_what_is_wrong_with_a_match_is_said(path: Path, damage: str, said: str) -> None:
    change(path, damage)
    found = problems(path)
    assert found.pop("playing")[0] == said
    assert list(found.values()) == [[], []]


def test_only_a_store_of_this_version_is_read(path: Path, tmp_path: Path) -> None:
    no_store = tmp_path / "text"
    no_store.write_text("no database at all, whatever its name says" * 30)
    with pytest.raises(StoreNotUsable, match="there is no store at"):
        problems(tmp_path / "nowhere")
    with pytest.raises(StoreCorrupt, match="damaged, or no store"):
        problems(no_store)
    change(path, "PRAGMA user_version = 99")
    with pytest.raises(StoreNotUsable, match="is version 99, that of this program"):
        problems(path)


def test_an_archived_match_is_the_match(tmp_path: Path) -> None:
    bodies = [RECORDS.encode(record) for record in FINISHED.records]
    file = pack_match("finished", bodies)
    assert unpack_match(file) == FINISHED.records
    assert unpack_match(gzip.decompress(file)) == FINISHED.records
    assert pack_match("finished", bodies) == file


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file[:40], "no archived match"),
        (lambda _: b"[]", "no archived match"),
        (lambda _: b"\xff\xfe", "no archived match"),
        (lambda _: b"\x1f\x8bgzip", "no archived match"),
        (lambda _: b'{"records": ' + b"[" * 100_000, "no archived match"),
        (
            lambda file: gzip.decompress(file).replace(b'"version":1', b'"version":2', 1),
            "version 2",
        ),
        (lambda file: gzip.decompress(file).replace(b"match_created", b"m"), "record 1: 'm'"),
    ],
)
def test_what_is_no_archive_is_refused(spoil: Callable[[bytes], bytes], said: str) -> None:
    file = pack_match("finished", [RECORDS.encode(record) for record in FINISHED.records])
    with pytest.raises(StoreCorrupt, match=said):
        unpack_match(spoil(file))


async def test_archived_matches_leave_the_store_for_files(path: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with archiving(path, archive) as archiver:
        assert archiver.over_before(NOON) == []
        assert archiver.over_before(NOON + timedelta(days=1)) == ["abandoned", "finished"]
        files = [archiver.write(match_id) for match_id in ("abandoned", "finished")]
        archiver.remove(["abandoned", "finished"])
    assert sorted(archive.iterdir()) == files
    for file, one in zip(files, (ABANDONED, FINISHED), strict=True):
        assert unpack_match(file.read_bytes()) == one.records
    assert problems(path) == {"playing": []}
    store = await SqliteStore.open(path)
    assert await store.read("playing") == list(PLAYING.records)
    assert await store.read("finished") == []
    assert await store.count_running("ann") == 1
    await store.close()


def test_an_archive_is_for_its_owner_alone_and_written_again_if_interrupted(
    path: Path, tmp_path: Path
) -> None:
    with archiving(path, tmp_path / "archive") as archiver:
        file = archiver.write("finished")
        content = file.read_bytes()
        assert archiver.write("finished") == file
    assert (file.stat().st_mode & 0o777, file.read_bytes()) == (0o600, content)


def test_a_match_of_the_id_of_an_archived_one_does_not_take_its_place(
    path: Path, tmp_path: Path
) -> None:
    earlier = log("finished", made=7, status=MatchStatus.FINISHED)
    file = tmp_path / "archive" / "finished.json.gz"
    file.parent.mkdir()
    file.write_bytes(pack_match("finished", map(RECORDS.encode, earlier.records)))
    with (
        archiving(path, file.parent) as archiver,
        pytest.raises(IdArchived, match="is there already and holds another match"),
    ):
        archiver.write("finished")
    assert unpack_match(file.read_bytes()) == earlier.records
    assert problems(path) == SOUND


async def test_a_match_that_is_not_sound_is_not_archived(path: Path, tmp_path: Path) -> None:
    change(path, "UPDATE records SET body = x'7B' WHERE match_id = 'finished' AND sequence = 2")
    with (
        archiving(path, tmp_path / "archive") as archiver,
        pytest.raises(StoreCorrupt, match="record 2"),
    ):
        archiver.write("finished")
    assert not (tmp_path / "archive").exists()


async def test_nothing_is_archived_or_restored_under_a_server(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    store = await SqliteStore.open(path)
    back_up(path, copy)
    with pytest.raises(StoreInUse), archiving(path, tmp_path):
        pass
    with pytest.raises(StoreInUse):
        restore(copy, path, replace=True)
    await store.close()


async def test_a_copy_of_a_running_store_holds_what_was_acknowledged(tmp_path: Path) -> None:
    path, copy, elsewhere = tmp_path / "durak.sqlite", tmp_path / "copy", tmp_path / "new" / "store"
    store = await SqliteStore.open(path)
    await keep_all(store)
    back_up(path, copy)
    await log("later", made=3).keep(store)
    restore(copy, elsewhere)
    assert problems(elsewhere) == SOUND
    restored = await SqliteStore.open(elsewhere)
    assert await restored.read("finished") == list(FINISHED.records)
    await restored.close()
    await store.close()
    with pytest.raises(StoreNotUsable, match="is there already"):
        back_up(path, copy)


async def test_a_copy_made_under_load_is_one_moment_of_the_store(tmp_path: Path) -> None:
    path, copy = tmp_path / "durak.sqlite", tmp_path / "copy"
    store = await SqliteStore.open(path)
    before = [log(f"before-{number}", made=number) for number in range(20)]
    for one in before:
        await one.keep(store)
    meanwhile = [
        log(f"later-{number}", made=number, status=MatchStatus.FINISHED) for number in range(10)
    ]
    copying = asyncio.create_task(asyncio.to_thread(back_up, path, copy))
    await asyncio.gather(*(one.keep_by_steps(store) for one in meanwhile))
    await copying
    await store.close()
    copied = problems(copy)
    assert {one.match_id for one in before} <= copied.keys()
    assert [found for found in copied.values() if found] == []
    assert problems(path).keys() == {one.match_id for one in (*before, *meanwhile)}


async def test_a_store_is_replaced_only_if_that_is_said(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    back_up(path, copy)
    store = await SqliteStore.open(path)
    later: Log = log("later", made=3)
    await later.keep(store)
    await store.close()
    with pytest.raises(StoreNotUsable, match="is there already"):
        restore(copy, path)
    assert "later" in problems(path)
    restore(copy, path, replace=True)
    assert problems(path) == SOUND


async def test_a_store_is_whole_up_to_the_moment_it_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, path = tmp_path / "copy", tmp_path / "durak.sqlite"
    running = await SqliteStore.open(tmp_path / "running")
    back_up(tmp_path / "running", copy)
    await keep_all(running)
    for suffix in ("", "-wal"):  # what a killed server leaves: most of it in its log
        shutil.copy(tmp_path / f"running{suffix}", tmp_path / f"durak.sqlite{suffix}")
    await running.close()

    def die(_part: Path, _target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(KeyboardInterrupt):
        restore(copy, path, replace=True)
    assert problems(path) == SOUND
    monkeypatch.undo()
    restore(copy, path, replace=True)
    assert problems(path) == {}


async def test_a_copy_of_an_older_version_is_made_and_restored(tmp_path: Path) -> None:
    older, copy, path = tmp_path / "older", tmp_path / "copy", tmp_path / "durak.sqlite"
    change(older, *MIGRATIONS[0].split(";"), "PRAGMA user_version = 1")
    back_up(older, copy)
    restore(copy, path)
    store = await SqliteStore.open(path)
    await keep_all(store)
    await store.close()
    assert problems(path) == SOUND


def test_a_file_that_is_no_store_is_not_copied(tmp_path: Path) -> None:
    other = tmp_path / "other"
    change(other, "CREATE TABLE notes (text TEXT)")
    with pytest.raises(StoreNotUsable, match="version 0"):
        back_up(other, tmp_path / "copy")
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_a_damaged_copy_is_not_restored(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(b"no database" * 100)
    with pytest.raises(StoreCorrupt):
        restore(copy, path, replace=True)
    assert problems(path) == SOUND


def test_the_catalogue_is_listed_as_it_is(path: Path) -> None:
    with reading(path) as store:
        listed = list(store.summaries())
    assert {one.match_id: one for one in listed} == {one.match_id: one.summary for one in LOGS}
