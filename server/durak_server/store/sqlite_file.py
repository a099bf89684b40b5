"""One file that one process has open, and what SQLite says when that goes wrong."""

import fcntl
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from durak_server.store.errors import (
    StoreCorrupt,
    StoreError,
    StoreInUse,
    StoreNotUsable,
    StoreUnavailable,
)
from durak_server.store.schema import migrate

_CORRUPT: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
UNOPENED: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
"""What SQLite says of a file that this user may not open, or not as he wants."""

_PRIMARY_CODE: Final = 0xFF
"""The part of an error code that is left when the details are dropped."""


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's code for an error, without details; 0 if it is not one of SQLite's."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE


def store_error(error: sqlite3.Error) -> StoreError:
    """Return what an error means to the caller of a store."""
    if primary_code(error) in _CORRUPT:
        return StoreCorrupt(f"the store's file is damaged: {error}")
    return StoreUnavailable(f"the store cannot be reached: {error}")


class StoreFile:
    """The file of a store, locked against other processes until it is closed.

    The lock is on a file beside it, `FILE.lock`, which stays; the system frees it when the
    process ends, however it ends. Another, `FILE.open`, is there until the store is closed: after
    a kill it says that the write-ahead log belongs to what was acknowledged.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            StoreInUse: another process has it open.
            StoreNotUsable: it or its folder cannot be written, it is of a newer version, or its
                write-ahead log was taken away.
            StoreCorrupt: it is damaged, or not a database.
            StoreUnavailable: the disk is full.
        """
        self.path = path
        self._lock = lock_store(path)
        try:
            self.writer = self._open_checked()
        except BaseException:
            self._lock.close()
            raise

    def open_reader(self) -> sqlite3.Connection:
        """Open one more connection, that only reads; it may be used by one thread at a time."""
        connection = _connect(self.path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def close(self) -> None:
        """Close the writer's connection, the last one, and give the file free."""
        _close_in_order(self.writer, self.path)
        self._lock.close()

    def _open_checked(self) -> sqlite3.Connection:
        refuse_cut(self.path)
        connection: sqlite3.Connection | None = None
        try:
            if not self.path.exists():
                # Every hand is in it; SQLite's files beside it get the same permissions.
                self.path.touch(mode=0o600)
            connection = _connect(self.path)
            _prepare(connection)
            mark_of(self.path).touch(mode=0o600)
            sync_folder(self.path.parent)
        except (sqlite3.Error, OSError, StoreError) as error:
            if connection:
                _close_in_order(connection, self.path)
            raise _open_error(self.path, error) from error
        return connection


def mark_of(path: Path) -> Path:
    """Return the file that is there while the store at `path` is open, and after a kill."""
    return path.with_name(f"{path.name}.open")


def _close_in_order(connection: sqlite3.Connection, path: Path) -> None:
    """Close the last connection, which takes the log away, so that a kill leaves no mark alone."""
    with suppress(sqlite3.Error, OSError):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        mark_of(path).unlink(missing_ok=True)
        sync_folder(path.parent)
    connection.close()
    if not _log_of(path).exists():
        mark_of(path).unlink(missing_ok=True)


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def is_cut(path: Path) -> bool:
    """Tell whether a store was killed and lacks the log in which its last transactions were."""
    mark = mark_of(path)
    # Asked for twice: a server that closes the store meanwhile removes the mark, then the log.
    return mark.exists() and not _log_of(path).exists() and mark.exists()


def refuse_cut(path: Path) -> None:
    """Refuse such a store, before SQLite opens it: with a new log it would pass for a whole one.

    Raises:
        StoreNotUsable: the store is cut.
    """
    if is_cut(path):
        log = _log_of(path).name
        raise StoreNotUsable(
            f"cannot use {path}: it was not closed when it was last open, and {log}, which holds"
            " what was stored last, is gone: put it back, or restore a backup; if another program"
            f" has closed the store, or you do without what is missing, remove {mark_of(path).name}"
        )


def _connect(path: Path) -> sqlite3.Connection:
    # Transactions are begun by hand, and each connection is handed to the thread that uses it.
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreCorrupt(verdict)
    migrate(connection)


def sync_folder(folder: Path) -> None:
    """Make the names of new files outlive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def lock_store(path: Path) -> TextIO:
    """Lock the file of a store, there or not, until what is returned is closed.

    Raises:
        StoreInUse: another process has it.
        StoreNotUsable: its folder cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(f"{path.name}.lock").open("a+")
    except OSError as error:
        raise StoreNotUsable(f"cannot use {path}: {error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        if isinstance(error, BlockingIOError):
            raise StoreInUse(f"{path} is in use by another process") from error
        raise StoreNotUsable(f"cannot use {path}: {error}") from error
    return lock


def _open_error(path: Path, error: Exception) -> StoreError:
    if isinstance(error, sqlite3.Error) and primary_code(error) not in UNOPENED:
        kind: type[StoreError] = type(store_error(error))
    elif isinstance(error, StoreCorrupt):
        kind = StoreCorrupt
    else:
        kind = StoreNotUsable
    return kind(f"cannot use {path}: {error}{_hint(error)}")


def _hint(error: Exception) -> str:
    """Return what SQLite means where its words are of no help."""
    code = getattr(error, "sqlite_errorcode", 0)
    return ", no room is left for the file -shm" if code == sqlite3.SQLITE_IOERR_SHMSIZE else ""
