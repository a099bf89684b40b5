"""Copies of a whole store, made while a server writes to it."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from durak_server.store.errors import StoreNotUsable
from durak_server.store.read_only import open_read_only
from durak_server.store.sqlite_file import is_cut, lock_store, mark_of, store_error, sync_folder

_OLDEST: Final = 1
"""The first version of the schema: a copy is made of any, and a server brings it up to date."""


def back_up(store: Path, copy: Path) -> None:
    """Copy a store, open in a server or not, to one file.

    The copy is the store of one moment: what is acknowledged before the call is in it. It is on
    the disk and checked when this returns, and is never there by half.

    Raises:
        StoreNotUsable: there is no store, it is a newer version's or lacks its write-ahead log, or
            there is a file at `copy` already.
        StoreCorrupt: the store is damaged.
        OSError: the copy cannot be written.
    """
    if copy.exists():
        raise StoreNotUsable(f"{copy} is there already")
    _copy(store, copy)


def restore(copy: Path, store: Path, *, replace: bool = False) -> None:
    """Put a copy in the place of a store that no server has open.

    Raises:
        StoreInUse: a server has it open.
        StoreNotUsable: there is no copy, it is of a newer version, or there is a store and
            `replace` is not said.
        StoreCorrupt: the copy is damaged.
        OSError: the store cannot be written.
    """
    with lock_store(store):
        if store.exists() and not replace:
            raise StoreNotUsable(f"{store} is there already")
        _copy(copy, store)


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{target.name}.part")
    with closing(open_read_only(source, oldest=_OLDEST)) as original:
        part.unlink(missing_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        part.touch(mode=0o600)  # a store's hands are for its owner alone
        try:
            with closing(sqlite3.connect(part)) as copy:
                # In one step, which is one moment: in several, writers would make it begin again.
                original.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            part.unlink(missing_ok=True)
            raise store_error(error) from error
    open_read_only(part, oldest=_OLDEST).close()  # it checks what it opens
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    _close_log_of(target)
    part.replace(target)
    mark_of(target).unlink(missing_ok=True)
    sync_folder(target.parent)


def _close_log_of(replaced: Path) -> None:
    """Leave a file without a write-ahead log, which would be played into the one that follows.

    Until it is replaced the file holds all that it held with its log; one whose log was taken away
    is not opened, and keeps its mark.
    """
    if not is_cut(replaced):
        if replaced.exists():
            # A damaged file may be why it is replaced.
            with suppress(sqlite3.Error), closing(sqlite3.connect(replaced)) as connection:
                connection.execute("PRAGMA journal_mode = DELETE")
        mark_of(replaced).unlink(missing_ok=True)
    for suffix in ("-wal", "-shm"):
        replaced.with_name(replaced.name + suffix).unlink(missing_ok=True)
