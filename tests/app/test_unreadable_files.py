"""A file that its user may not read, or not yet: one line on standard error, and exit code 1."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from durak_server.store.schema import MIGRATIONS
from durak_server.store.sqlite_file import StoreFile
from tests.app.commands import run
from tests.nobody import as_nobody


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may write into, with a store that one user alone may read."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        StoreFile(folder / "durak.sqlite").close()
        (folder / "durak.sqlite").chmod(0o000)
        (folder / "durak.sqlite.lock").chmod(0o666)
        yield folder


def refused(*command: str) -> str:
    """The one line with which a command ends that was called by a user who may do little."""
    with as_nobody():
        ended = run(*command, DURAK_TOKEN_SECRET="x" * 32)
    assert (ended.code, ended.output) == (1, "")
    (line,) = ended.errors.splitlines()
    return line.removeprefix("durak-server: ")


READERS = [
    ("log", "list"),
    ("log", "show", "m"),
    ("log", "check"),
    ("backup", "/nowhere/copy.sqlite"),
]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_a_store_that_cannot_be_read_is_told(folder: Path, command: tuple[str, ...]) -> None:
    line = refused(*command, "--data", str(folder))

    assert line == (
        f"cannot read {folder / 'durak.sqlite'}: unable to open database file; whoever reads it"
        " must be allowed to, and to write into its folder"
    )


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_a_store_in_a_folder_that_cannot_be_written_is_not_called_damaged(
    folder: Path, command: tuple[str, ...]
) -> None:
    (folder / "durak.sqlite").chmod(0o444)
    folder.chmod(0o555)

    line = refused(*command, "--data", str(folder))

    assert line.startswith(f"cannot read {folder / 'durak.sqlite'}: ")
    assert line.endswith("; whoever reads it must be allowed to, and to write into its folder")


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_a_folder_that_cannot_be_entered_is_told(folder: Path, command: tuple[str, ...]) -> None:
    folder.chmod(0o000)

    line = refused(*command, "--data", str(folder))

    assert line == f"{folder / 'durak.sqlite'}: Permission denied"


def test_a_copy_that_cannot_be_read_is_told(folder: Path) -> None:
    copy = folder / "durak.sqlite"

    line = refused("restore", str(copy), "--data", str(folder / "data"))

    assert line.startswith(f"cannot read {copy}: unable to open database file; ")
    assert not (folder / "data" / "durak.sqlite").exists()


ADMIN = ("admin", "--address", "127.0.0.1:1")
FILES = [
    ("serve", "--store", "memory", "--tls-certificate", "FILE", "--tls-key", "FILE"),
    ("check-cases", "FILE"),
    (*ADMIN, "--token-file", "FILE", "list"),
    (*ADMIN, "--ca", "FILE", "list"),
    (*ADMIN, "--certificate", "FILE", "--key", "FILE", "list"),
]


@pytest.mark.parametrize("command", FILES, ids=" ".join)
def test_any_other_file_that_cannot_be_read_is_told(folder: Path, command: tuple[str, ...]) -> None:
    file = folder / "file"
    file.touch(mode=0o000)

    line = refused(*[str(file) if word == "FILE" else word for word in command])

    assert line.endswith(f"{file}: Permission denied")


def test_a_token_that_is_not_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(b"\xff")

    ended = run(*ADMIN, "--token-file", str(file), "list", DURAK_TOKEN_SECRET="x" * 32)

    assert ended.errors == f"durak-server: {file} is not UTF-8 text\n"


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        (len(MIGRATIONS) + 1, "it takes a newer program"),
        (1, "a server of this version brings an older one up to date when it starts"),
    ],
)
def test_a_store_of_another_version_comes_with_the_advice_that_helps(
    tmp_path: Path, version: int, advice: str
) -> None:
    path = tmp_path / "durak.sqlite"
    StoreFile(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")

    ended = run("log", "check", "--data", str(tmp_path))

    assert (ended.code, ended.errors) == (
        1,
        f"durak-server: the schema of {path} is version {version}, that of this program"
        f" {len(MIGRATIONS)}; {advice}\n",
    )
