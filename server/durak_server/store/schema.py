"""The tables of the SQLite store, as the steps that lead to them."""

import sqlite3
from typing import Final

from durak_server.store.errors import StoreNotUsable

_VERSION_1: Final = """
CREATE TABLE matches (
    match_id TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,   -- of the last record
    created_at INTEGER NOT NULL, -- microseconds since 1970
    updated_at INTEGER NOT NULL, -- microseconds since 1970
    status TEXT NOT NULL,
    preset TEXT NOT NULL,
    rules TEXT NOT NULL,         -- JSON: the whole rule set
    visibility TEXT NOT NULL,
    spectators TEXT NOT NULL,
    invite_code TEXT NOT NULL COLLATE NOCASE,
    owner_id TEXT NOT NULL,
    seats TEXT NOT NULL,         -- JSON: a player or null for each seat
    has_free_seat INTEGER NOT NULL,
    has_bots INTEGER NOT NULL,
    times_fool TEXT NOT NULL,    -- JSON: a number for each seat
    deal INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_listed ON matches (visibility, status, created_at, match_id);
CREATE INDEX matches_counted ON matches (status, preset);
CREATE INDEX matches_with_bots ON matches (status) WHERE has_bots;
CREATE INDEX matches_invited ON matches (invite_code, created_at);

CREATE TABLE sitting (           -- which humans sit where, without those who left
    player_id TEXT NOT NULL,
    status TEXT NOT NULL,        -- of the match
    created_at INTEGER NOT NULL, -- of the match
    match_id TEXT NOT NULL,
    PRIMARY KEY (player_id, status, created_at, match_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX sitting_at ON sitting (match_id);

CREATE TABLE records (
    match_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    body BLOB NOT NULL,          -- JSON, see the codec
    PRIMARY KEY (match_id, sequence)
) STRICT, WITHOUT ROWID;
"""

_VERSION_2: Final = """
CREATE INDEX matches_with_clocks ON matches (status)
    WHERE json_extract(rules, '$.turn_seconds') > 0;
"""

_VERSION_3: Final = """
ALTER TABLE matches ADD COLUMN previous_match_id TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN next_match_id TEXT NOT NULL DEFAULT '';
"""

_VERSION_4: Final = """
ALTER TABLE matches ADD COLUMN takes_anybody INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET takes_anybody = has_free_seat AND visibility = 'PUBLIC';
CREATE INDEX matches_waiting ON matches (rules, created_at, match_id) WHERE takes_anybody;

CREATE TABLE seatings (          -- by which request of his own a player sat down
    player_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    match_id TEXT NOT NULL,
    PRIMARY KEY (player_id, request_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX seatings_at ON seatings (match_id);
"""

_VERSION_5: Final = """
ALTER TABLE matches ADD COLUMN admission TEXT NOT NULL DEFAULT '{}'; -- JSON
"""

_VERSION_6: Final = """
ALTER TABLE matches ADD COLUMN spectator_delay_seconds INTEGER NOT NULL DEFAULT 0;
"""

_VERSION_7: Final = """
ALTER TABLE matches ADD COLUMN invite_expires_at INTEGER; -- microseconds since 1970, or never
"""

_VERSION_8: Final = """
CREATE TABLE bans (
    player_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,          -- what the player is told
    banned_by TEXT NOT NULL,     -- which operator
    banned_at INTEGER NOT NULL,  -- microseconds since 1970
    until INTEGER                -- the same; null: for good
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS: Final = (
    _VERSION_1,
    _VERSION_2,
    _VERSION_3,
    _VERSION_4,
    _VERSION_5,
    _VERSION_6,
    _VERSION_7,
    _VERSION_8,
)
"""The step at index k leads from version k to k + 1; steps are only ever added."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to the newest version, each step in a transaction of its own.

    Raises:
        StoreNotUsable: it was written by a newer version of this program.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreNotUsable(
            f"its schema is version {version}, newer than the {len(MIGRATIONS)} of this program"
        )
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT")
    # A file that cannot be written opens all the same, and only a write tells.
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
