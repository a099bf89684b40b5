"""Moving matches that are over from a store to files."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from durak_server.matches import BrokenLog, MatchStatus
from durak_server.store.archive import pack_match, unpack_match
from durak_server.store.errors import StoreCorrupt, StoreNotUsable
from durak_server.store.log_check import checked_match
from durak_server.store.paging import microseconds
from durak_server.store.read_only import ReadOnlyStore
from durak_server.store.sqlite_file import StoreFile, store_error, sync_folder


class IdArchived(Exception):
    """There is an archived match of the same id, and it is another one."""


UNSOUND: Final = (BrokenLog, StoreCorrupt, IdArchived)
"""What `Archiver.write` raises for a match that must stay where it is."""

_OVER: Final = (MatchStatus.FINISHED, MatchStatus.ABANDONED)
# Every table that tells of matches, so that a later one is not forgotten.
_TABLES: Final = """
SELECT listed.name FROM sqlite_schema AS listed, pragma_table_info(listed.name) AS field
WHERE listed.type = 'table' AND field.name = 'match_id'
"""


class Archiver:
    """Writes matches to files below `folder`, then takes them out of the store."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder

    def over_before(self, moment: datetime) -> list[str]:
        """Return the ids of the matches that are over and last changed before `moment`."""
        query = "SELECT match_id FROM matches WHERE status IN (?, ?) AND updated_at < ? ORDER BY 1"
        rows = self._connection.execute(query, (*_OVER, microseconds(moment)))
        return [row[0] for row in rows]

    def write(self, match_id: str) -> Path:
        """Write the file of a match, to be on the disk for good; return its path.

        A file that is there already is written anew if an interrupted run left it. It can be an
        earlier match as well, whose id was free again once it was archived: that one is kept.

        Raises:
            BrokenLog, StoreCorrupt: the match, or the file that is there, is not sound; the match
                stays in the store.
            IdArchived: the file of an earlier match is there; this one stays in the store.
            OSError: the file cannot be written.
        """
        bodies = ReadOnlyStore(self._connection).bodies(match_id)
        checked_match(bodies)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{match_id}.json.gz"
        file = pack_match(match_id, (body for _, body in bodies))
        if path.exists() and not _goes_on(file, path.read_bytes()):
            raise IdArchived(f"{path} is there already and holds another match")
        _write_durably(path, file)
        return path

    def remove(self, match_ids: Sequence[str]) -> None:
        """Take matches whose files are written out of the store, all or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for (table,) in self._connection.execute(_TABLES).fetchall():
                self._connection.executemany(
                    f"DELETE FROM {table} WHERE match_id = ?",
                    [(match_id,) for match_id in match_ids],
                )
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _goes_on(file: bytes, earlier: bytes) -> bool:
    """Tell whether a match's file holds all that an earlier one holds."""
    records = unpack_match(earlier)
    return unpack_match(file)[: len(records)] == records


def _write_durably(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)  # as the store: who was invited where is for its owner alone
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


@contextmanager
def archiving(path: Path, folder: Path) -> Iterator[Archiver]:
    """Open the store at `path` for this process alone until the end of the block.

    Raises:
        StoreInUse: a server has it open.
        StoreNotUsable: there is none, or it cannot be opened.
        StoreCorrupt: it is damaged.
    """
    if not path.is_file():
        raise StoreNotUsable(f"there is no store at {path}")
    file = StoreFile(path)
    try:
        yield Archiver(file.writer, folder)
    except sqlite3.Error as error:
        raise store_error(error) from error
    finally:
        file.close()
