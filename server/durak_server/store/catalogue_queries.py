"""What the lobby asks, as SQL; every page is read along an index, whatever its number.

A page looks at so many matches at most, whatever its filter lets through: a filter that fits
nothing would else have the whole catalogue read for one call, and all other readers wait.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import product
from typing import Final

from durak_server.matches import MatchStatus, MatchSummary, Visibility
from durak_server.rules import Preset, RuleSet
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest
from durak_server.store.catalogue_rows import SUMMARY_COLUMNS, json_text, summary_of_row
from durak_server.store.paging import (
    FIRST_PLACE,
    LAST_PLACE,
    LookedAt,
    PageKey,
    looked_at,
    microseconds,
    page_key,
    page_of,
    parse_page_token,
)

_NEWEST_FIRST: Final = " ORDER BY listed.created_at DESC, listed.match_id DESC LIMIT ?"


def find_invite(connection: sqlite3.Connection, code: str) -> str | None:
    """Return the newest match with that code, or None."""
    row = connection.execute(
        "SELECT match_id FROM matches WHERE invite_code = ? ORDER BY created_at DESC LIMIT 1",
        (code,),
    ).fetchone()
    return str(row[0]) if row else None


def list_public(connection: sqlite3.Connection, query: MatchQuery, page: PageRequest) -> Page:
    """Return a page of public matches."""
    return _list(connection, _matches(query.statuses, (Visibility.PUBLIC,)), query, page)


def list_all(connection: sqlite3.Connection, query: MatchQuery, page: PageRequest) -> Page:
    """Return a page of matches, unlisted ones too."""
    return _list(connection, _matches(query.statuses, Visibility), query, page)


def list_of_player(
    connection: sqlite3.Connection,
    player_id: str,
    page: PageRequest,
    statuses: Iterable[MatchStatus],
) -> Page:
    """Return a page of the matches at which a player sits."""
    source = "sitting AS listed CROSS JOIN matches USING (match_id)"
    shelves = [_Shelf(source, "player_id", (player_id, status)) for status in statuses]
    return _list(connection, shelves, MatchQuery(frozenset(statuses)), page)


def waiting_matches(
    connection: sqlite3.Connection, rules: RuleSet, player_id: str, most: int
) -> list[str]:
    """Return the ids of matches of these rules that take anybody, oldest first."""
    rows = connection.execute(
        "SELECT match_id FROM matches WHERE takes_anybody AND rules = ? AND NOT EXISTS"
        " (SELECT 1 FROM sitting WHERE sitting.match_id = matches.match_id AND player_id = ?)"
        " ORDER BY created_at, match_id LIMIT ?",
        (json_text(rules), player_id, most),
    )
    return [match_id for (match_id,) in rows]


def find_seating(connection: sqlite3.Connection, player_id: str, request_id: str) -> str | None:
    """Return the match at which a player sat down by a request, or None."""
    row = connection.execute(
        "SELECT match_id FROM seatings WHERE player_id = ? AND request_id = ?",
        (player_id, request_id),
    ).fetchone()
    return str(row[0]) if row else None


def count_running(connection: sqlite3.Connection, player_id: str) -> int:
    """Return how many unfinished matches a player sits at."""
    row = connection.execute(
        "SELECT count(*) FROM sitting WHERE player_id = ? AND status IN (?, ?)",
        (player_id, *UNFINISHED),
    ).fetchone()
    return int(row[0])


def unfinished_with_bots(connection: sqlite3.Connection) -> list[str]:
    """Return the ids of the unfinished matches at which a house bot sits."""
    rows = connection.execute(
        "SELECT match_id FROM matches WHERE has_bots AND status IN (?, ?)", tuple(UNFINISHED)
    )
    return [match_id for (match_id,) in rows]


def playing_with_clocks(connection: sqlite3.Connection) -> list[str]:
    """Return the ids of the matches being played with a clock."""
    rows = connection.execute(
        "SELECT match_id FROM matches"
        " WHERE status = ? AND json_extract(rules, '$.turn_seconds') > 0",
        (MatchStatus.PLAYING,),
    )
    return [match_id for (match_id,) in rows]


def idle_matches(
    connection: sqlite3.Connection,
    open_since: datetime,
    playing_since: datetime,
    after: str,
    most: int,
) -> list[str]:
    """Return the ids of matches in which perhaps no human has acted since a moment.

    No index holds that moment, for every move would have to write it: the unfinished are looked
    through.
    """
    rows = connection.execute(
        "SELECT match_id FROM matches WHERE match_id > ? AND"
        " (status = ? AND updated_at <= ? OR status = ? AND"
        " iif(json_extract(rules, '$.turn_seconds') > 0, created_at, updated_at) <= ?)"
        " ORDER BY match_id LIMIT ?",
        (
            after,
            MatchStatus.OPEN,
            microseconds(open_since),
            MatchStatus.PLAYING,
            microseconds(playing_since),
            most,
        ),
    )
    return [match_id for (match_id,) in rows]


def counts(connection: sqlite3.Connection) -> Mapping[tuple[MatchStatus, Preset], int]:
    """Return how many matches there are of each status and preset."""
    rows = connection.execute("SELECT status, preset, count(*) FROM matches GROUP BY 1, 2")
    return {(MatchStatus(status), Preset(preset)): number for status, preset, number in rows}


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Matches of one status that stand in one index by the moments they were made.

    `source` calls them `listed`; the index begins with the column `kept_by` and the status, and
    `place` is the values of these.
    """

    source: str
    kept_by: str
    place: tuple[str, str]

    def between(self, columns: str) -> str:
        """Return a question for columns of the matches before one place, and from another on."""
        return (
            f"SELECT {columns} FROM {self.source} WHERE {self.kept_by} = ? AND listed.status = ?"
            " AND (listed.created_at, listed.match_id) < (?, ?)"
            " AND (listed.created_at, listed.match_id) >= (?, ?)"
        )


def _matches(statuses: Iterable[MatchStatus], visibilities: Iterable[Visibility]) -> list[_Shelf]:
    source = "matches AS listed INDEXED BY matches_listed"
    places = product(visibilities, statuses)
    return [_Shelf(source, "visibility", place) for place in places]


def _list(
    connection: sqlite3.Connection, shelves: Sequence[_Shelf], query: MatchQuery, page: PageRequest
) -> Page:
    """Return the page of the matches that fit; the shelves are all of one index.

    First it is found how far back the page may look, then each status is read so far, and no
    further than the page may reach: no status is behind another.
    """
    if not shelves:
        return Page()
    after = parse_page_token(page.token) or LAST_PLACE
    looked = _look(connection, shelves, after, page.looks_at(query))
    terms, values = _query_terms(query)
    statement = f"{shelves[0].between(SUMMARY_COLUMNS)}{terms}{_NEWEST_FIRST}"
    rest = (*after, *(looked.end or FIRST_PLACE), *values, page.size + 1)
    found = [_summaries(connection, statement, (*shelf.place, *rest)) for shelf in shelves]
    return page_of(list(merge(*found, key=page_key, reverse=True)), page.size, looked)


def _look(
    connection: sqlite3.Connection, shelves: Sequence[_Shelf], after: PageKey, most: int
) -> LookedAt:
    """Return the places of the newest matches on all shelves: the indexes alone are read."""
    places = "listed.created_at, listed.match_id"
    statement = " UNION ALL ".join(shelf.between(places) for shelf in shelves)
    values = [value for shelf in shelves for value in (*shelf.place, *after, *FIRST_PLACE)]
    rows = connection.execute(f"{statement} ORDER BY 1 DESC, 2 DESC LIMIT ?", (*values, most + 1))
    return looked_at([(made, match_id) for made, match_id in rows], most)


def _query_terms(query: MatchQuery) -> tuple[str, list[object]]:
    """Return the conditions of a query but for the status, and their values."""
    terms = ""
    values: list[object] = []
    if query.has_free_seat:
        terms += " AND has_free_seat"
    if query.has_no_password:
        terms += " AND json_extract(admission, '$.password') IS NULL"
    if query.presets:
        terms += " AND preset IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(sorted(query.presets)))
    for name, value in query.options:
        terms += " AND json_extract(rules, ?) = ?"
        values += [f"$.{name}", value]
    return terms, values


def _summaries(
    connection: sqlite3.Connection, statement: str, values: Sequence[object]
) -> list[MatchSummary]:
    return [summary_of_row(row) for row in connection.execute(statement, values)]
