"""How events are kept and read back, whatever they mean."""

from durak_server.store.bans import Ban
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest
from durak_server.store.errors import (
    Conflict,
    InvalidPageToken,
    OutcomeUnknown,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreInUse,
    StoreNotUsable,
    StoreUnavailable,
)
from durak_server.store.event_store import EventStore
from durak_server.store.memory import MemoryStore
from durak_server.store.sqlite import SqliteStore
from durak_server.store.sqlite_writer import Flush

__all__ = [
    "UNFINISHED",
    "Ban",
    "Conflict",
    "EventStore",
    "Flush",
    "InvalidPageToken",
    "MatchQuery",
    "MemoryStore",
    "OutcomeUnknown",
    "Page",
    "PageRequest",
    "SqliteStore",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreInUse",
    "StoreNotUsable",
    "StoreUnavailable",
]
