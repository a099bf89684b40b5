"""How events are kept and read back, whatever they mean."""

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

__all__ = [
    "UNFINISHED",
    "Conflict",
    "EventStore",
    "InvalidPageToken",
    "MatchQuery",
    "OutcomeUnknown",
    "Page",
    "PageRequest",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreInUse",
    "StoreNotUsable",
    "StoreUnavailable",
]
