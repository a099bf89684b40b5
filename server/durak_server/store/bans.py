"""Who may not play here, as SQL."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from durak_server.store.paging import microseconds, moment


@dataclass(frozen=True, slots=True)
class Ban:
    """Keeps a player out.

    `text` is what he is told, `banned_by` the operator who did it. Without `until` it is for good.
    """

    player_id: str
    text: str
    banned_by: str
    banned_at: datetime
    until: datetime | None = None


def read_bans(connection: sqlite3.Connection) -> list[Ban]:
    """Return all bans, those whose time is over too."""
    rows = connection.execute("SELECT player_id, text, banned_by, banned_at, until FROM bans")
    return [
        Ban(player_id, text, banned_by, moment(at), None if until is None else moment(until))
        for player_id, text, banned_by, at, until in rows
    ]


def write_ban(connection: sqlite3.Connection, player_id: str, ban: Ban | None) -> None:
    """Replace a player's ban, or with None lift it."""
    connection.execute("DELETE FROM bans WHERE player_id = ?", (player_id,))
    if ban:
        until = None if ban.until is None else microseconds(ban.until)
        connection.execute(
            "INSERT INTO bans (player_id, text, banned_by, banned_at, until)"
            " VALUES (?, ?, ?, ?, ?)",
            (ban.player_id, ban.text, ban.banned_by, microseconds(ban.banned_at), until),
        )
