"""A match in a file of its own: gzip of one JSON document (store.md).

    {"format": "durak-match", "version": 1, "match_id": "...", "records": [...]}

The records stand in order from sequence 1, each as it lay in the store, so that upcasters read old
ones for ever. Secrets are in them as in the store.
"""

import gzip
import zlib
from collections.abc import Iterable
from typing import Final

import msgspec

from durak_server.matches import Record
from durak_server.store.errors import StoreCorrupt
from durak_server.store.event_kinds import RECORDS

FORMAT: Final = "durak-match"
VERSION: Final = 1
_GZIP: Final = b"\x1f\x8b"
_UNREADABLE: Final = (
    OSError,
    EOFError,
    zlib.error,
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,  # brackets in brackets, deeper than can be followed
)


class _Document(msgspec.Struct):
    format: str
    version: int
    match_id: str
    records: list[msgspec.Raw]


def pack_match(match_id: str, bodies: Iterable[bytes]) -> bytes:
    """Return the file of a match whose records have these bodies; equal matches, equal files."""
    document = _Document(FORMAT, VERSION, match_id, [msgspec.Raw(body) for body in bodies])
    return gzip.compress(msgspec.json.encode(document), mtime=0)


def unpack_match(file: bytes) -> tuple[Record, ...]:
    """Return the records in a file, compressed or not.

    Raises:
        StoreCorrupt: it is no such file, or of a newer version.
    """
    try:
        text = gzip.decompress(file) if file.startswith(_GZIP) else file
        document = msgspec.json.decode(text, type=_Document)
    except _UNREADABLE as error:
        raise StoreCorrupt(f"this is no archived match: {error}") from error
    if (document.format, document.version) != (FORMAT, VERSION):
        raise StoreCorrupt(f"{document.format} of version {document.version} is not known")
    return tuple(
        RECORDS.decode(sequence, bytes(body)) for sequence, body in enumerate(document.records, 1)
    )
