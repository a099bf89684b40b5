"""Matches as rows of the SQLite catalogue: written with their records, and read back."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from durak_server.matches import (
    Admission,
    MatchStatus,
    MatchSummary,
    Player,
    Spectators,
    Visibility,
)
from durak_server.rules import Preset, RuleSet
from durak_server.store.errors import Conflict, StoreCorrupt
from durak_server.store.paging import microseconds, moment
from durak_server.store.seatings import Seating

SUMMARY_COLUMNS: Final = (
    "listed.match_id, listed.status, preset, rules, seats, times_fool, owner_id, visibility,"
    " spectators, invite_code, sequence, listed.created_at, updated_at, deal,"
    " previous_match_id, next_match_id, admission, spectator_delay_seconds, invite_expires_at"
)
"""What `summary_of_row` wants, in this order; `listed` is `matches`, or `sitting` joined to it."""

_JSON: Final = msgspec.json.Encoder()
_RULES: Final = msgspec.json.Decoder(RuleSet)
_SEATS: Final = msgspec.json.Decoder(tuple[Player | None, ...])
_ADMISSION: Final = msgspec.json.Decoder(Admission)
_TIMES_FOOL: Final = msgspec.json.Decoder(tuple[int, ...])

_INSERT: Final = """
INSERT INTO matches (
    match_id, sequence, created_at, updated_at, status, preset, rules, visibility, spectators,
    invite_code, owner_id, seats, has_free_seat, has_bots, times_fool, deal, previous_match_id,
    next_match_id, takes_anybody, admission, spectator_delay_seconds, invite_expires_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE_SEATS: Final = """
UPDATE matches SET status = ?, owner_id = ?, seats = ?, has_free_seat = ?, has_bots = ?,
    takes_anybody = ?, invite_code = ?, invite_expires_at = ?, admission = ? WHERE match_id = ?
"""
_UPDATE_PROGRESS: Final = """
UPDATE matches SET sequence = ?, updated_at = ?, times_fool = ?, deal = ?,
    next_match_id = ? WHERE match_id = ?
"""


def write_summary(connection: sqlite3.Connection, after: int, summary: MatchSummary) -> None:
    """Bring a match's row from sequence `after` to the summary's.

    Raises:
        Conflict: the row is at another sequence.
    """
    row = connection.execute(
        "SELECT sequence, status, owner_id, seats, invite_code, admission FROM matches"
        " WHERE match_id = ?",
        (summary.match_id,),
    ).fetchone()
    head = row[0] if row else 0
    if head != after:
        raise Conflict(head)
    seats = json_text(summary.seats)
    if row is None:
        _insert(connection, summary, seats)
        _write_sitting(connection, summary)
        return
    # Most appends are moves; these change no indexed column.
    code, admission = summary.invite_code, json_text(summary.admission)
    if row[1:] != (summary.status, summary.owner_id, seats, code, admission):
        _update_seats(connection, summary, seats)
        _write_sitting(connection, summary)
    connection.execute(
        _UPDATE_PROGRESS,
        (
            summary.sequence,
            microseconds(summary.updated_at),
            json_text(summary.times_fool),
            summary.deal,
            summary.next_match_id,
            summary.match_id,
        ),
    )


def summary_of_row(row: tuple[Any, ...]) -> MatchSummary:  # Any: columns of several types
    """Return the match whose `SUMMARY_COLUMNS` are given.

    Raises:
        StoreCorrupt: this version does not understand them.
    """
    try:
        return MatchSummary(
            match_id=row[0],
            status=MatchStatus(row[1]),
            preset=Preset(row[2]),
            rules=_RULES.decode(row[3]),
            seats=_SEATS.decode(row[4]),
            times_fool=_TIMES_FOOL.decode(row[5]),
            owner_id=row[6],
            visibility=Visibility(row[7]),
            spectators=Spectators(row[8]),
            invite_code=row[9],
            sequence=row[10],
            created_at=moment(row[11]),
            updated_at=moment(row[12]),
            deal=row[13],
            previous_match_id=row[14],
            next_match_id=row[15],
            admission=_ADMISSION.decode(row[16]),
            spectator_delay=timedelta(seconds=row[17]),
            invite_expires_at=None if row[18] is None else moment(row[18]),
        )
    except ValueError as error:
        raise StoreCorrupt(f"match {row[0]}: {error}") from error


def _insert(connection: sqlite3.Connection, summary: MatchSummary, seats: str) -> None:
    connection.execute(
        _INSERT,
        (
            summary.match_id,
            summary.sequence,
            microseconds(summary.created_at),
            microseconds(summary.updated_at),
            summary.status,
            summary.preset,
            json_text(summary.rules),
            summary.visibility,
            summary.spectators,
            summary.invite_code,
            summary.owner_id,
            seats,
            summary.has_free_seat,
            summary.has_bots,
            json_text(summary.times_fool),
            summary.deal,
            summary.previous_match_id,
            summary.next_match_id,
            summary.takes_anybody,
            json_text(summary.admission),
            summary.spectator_delay.total_seconds(),
            _moment_or_never(summary.invite_expires_at),
        ),
    )


def _update_seats(connection: sqlite3.Connection, summary: MatchSummary, seats: str) -> None:
    connection.execute(
        _UPDATE_SEATS,
        (
            summary.status,
            summary.owner_id,
            seats,
            summary.has_free_seat,
            summary.has_bots,
            summary.takes_anybody,
            summary.invite_code,
            _moment_or_never(summary.invite_expires_at),
            json_text(summary.admission),
            summary.match_id,
        ),
    )


def _write_sitting(connection: sqlite3.Connection, summary: MatchSummary) -> None:
    connection.execute("DELETE FROM sitting WHERE match_id = ?", (summary.match_id,))
    created_at = microseconds(summary.created_at)
    connection.executemany(
        "INSERT INTO sitting (player_id, status, created_at, match_id) VALUES (?, ?, ?, ?)",
        [
            (player_id, summary.status, created_at, summary.match_id)
            for player_id in summary.sitting
        ],
    )


def _moment_or_never(moment: datetime | None) -> int | None:
    return None if moment is None else microseconds(moment)


def json_text(value: object) -> str:
    """Return a value as the catalogue has it: equal values as equal texts."""
    return _JSON.encode(value).decode()


def write_seatings(connection: sqlite3.Connection, seatings: Iterable[Seating]) -> None:
    """Keep by which requests players sat down; the first of a name counts."""
    connection.executemany(
        "INSERT OR IGNORE INTO seatings (player_id, request_id, match_id) VALUES (?, ?, ?)",
        [(one.player_id, one.request_id, one.match_id) for one in seatings],
    )
