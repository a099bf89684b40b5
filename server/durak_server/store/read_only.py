"""A store's file read beside the server that has it open, or without one."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from durak_server.matches import MatchSummary
from durak_server.store.catalogue_rows import SUMMARY_COLUMNS, summary_of_row
from durak_server.store.errors import StoreCorrupt, StoreError, StoreNotUsable
from durak_server.store.schema import MIGRATIONS
from durak_server.store.sqlite_file import UNOPENED, primary_code, refuse_cut, store_error

Body = tuple[int, bytes]
"""A record as it lies in the file: its sequence and its JSON."""

_SUMMARIES: Final = f"SELECT {SUMMARY_COLUMNS} FROM matches AS listed"


class ReadOnlyStore:
    """Reads one moment of a store: what is appended meanwhile is not seen."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def match_ids(self) -> list[str]:
        """Return the ids of all matches that have records or are in the catalogue, sorted."""
        query = "SELECT match_id FROM matches UNION SELECT match_id FROM records ORDER BY 1"
        return [row[0] for row in self.connection.execute(query)]

    def summaries(self) -> Iterator[MatchSummary]:
        """Iterate over the catalogue, the matches last changed first.

        Raises:
            StoreCorrupt: a row cannot be understood.
        """
        for row in self.connection.execute(f"{_SUMMARIES} ORDER BY updated_at DESC, match_id"):
            yield summary_of_row(row)

    def summary(self, match_id: str) -> MatchSummary | None:
        """Return what the catalogue says of a match, None if nothing.

        Raises:
            StoreCorrupt: it cannot be understood.
        """
        query = f"{_SUMMARIES} WHERE match_id = ?"
        row = self.connection.execute(query, (match_id,)).fetchone()
        return summary_of_row(row) if row else None

    def bodies(self, match_id: str) -> Sequence[Body]:
        """Return the records of a match as they lie in the file, in order."""
        query = "SELECT sequence, body FROM records WHERE match_id = ? ORDER BY sequence"
        return self.connection.execute(query, (match_id,)).fetchall()


@contextmanager
def reading(path: Path) -> Iterator[ReadOnlyStore]:
    """Open the file at `path` for reading until the end of the block; it takes no lock.

    Raises:
        StoreNotUsable: there is no such file, it cannot be read, its schema is another version's,
            or its write-ahead log was taken away.
        StoreCorrupt: it is damaged, or no store.
    """
    connection = open_read_only(path)
    try:
        connection.execute("BEGIN")
        yield ReadOnlyStore(connection)
    except sqlite3.Error as error:
        raise store_error(error) from error
    finally:
        connection.close()


def open_read_only(path: Path, *, oldest: int = len(MIGRATIONS)) -> sqlite3.Connection:
    """Open the file of a store so that it cannot be written; see `reading`.

    A schema of version `oldest` and newer will do, up to this program's own.
    """
    if not path.is_file():
        raise StoreNotUsable(f"there is no store at {path}")
    refuse_cut(path)
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise _unreadable(path, error) from error
    connection.isolation_level = None
    try:
        _refuse_other_schema(connection, path, oldest)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_other_schema(connection: sqlite3.Connection, path: Path, oldest: int) -> None:
    try:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise _unreadable(path, error) from error
    if verdict != "ok":
        raise StoreCorrupt(f"{path} is damaged: {verdict}")
    if not oldest <= version <= len(MIGRATIONS):
        advice = (
            "it takes a newer program"
            if version > len(MIGRATIONS)
            else "a server of this version brings an older one up to date when it starts"
        )
        raise StoreNotUsable(
            f"the schema of {path} is version {version}, that of this program {len(MIGRATIONS)};"
            f" {advice}"
        )


def _unreadable(path: Path, error: sqlite3.Error) -> StoreError:
    if primary_code(error) in UNOPENED:
        return StoreNotUsable(
            f"cannot read {path}: {error}; whoever reads it must be allowed to, and to write into"
            " its folder"
        )
    kind = type(store_error(error))
    said = "is damaged, or no store" if kind is StoreCorrupt else "cannot be read"
    return kind(f"{path} {said}: {error}")
