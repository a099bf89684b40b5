"""What the lobby asks, as SQL; every page is read along an index, whatever its number."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from heapq import merge
from itertools import islice

from durak_server.matches import MatchStatus, MatchSummary, Visibility
from durak_server.rules import Preset, RuleSet
from durak_server.store.catalogue import UNFINISHED, MatchQuery, Page, PageRequest
from durak_server.store.catalogue_rows import SUMMARY_COLUMNS, json_text, summary_of_row
from durak_server.store.paging import microseconds, page_key, page_of, parse_page_token


def find_invite(connection: sqlite3.Connection, code: str) -> str | None:
    """Return the newest match with that code, or None."""
    row = connection.execute(
        "SELECT match_id FROM matches WHERE invite_code = ? ORDER BY created_at DESC LIMIT 1",
        (code,),
    ).fetchone()
    return str(row[0]) if row else None


def list_public(connection: sqlite3.Connection, query: MatchQuery, page: PageRequest) -> Page:
    """Return a page of public matches."""
    return page_of(_newest(connection, Visibility.PUBLIC, query, page), page.size)


def list_all(connection: sqlite3.Connection, query: MatchQuery, page: PageRequest) -> Page:
    """Return a page of matches, unlisted ones too."""
    found = [_newest(connection, visibility, query, page) for visibility in Visibility]
    return page_of(_first_of_all(found, page), page.size)


def list_of_player(
    connection: sqlite3.Connection,
    player_id: str,
    page: PageRequest,
    statuses: Iterable[MatchStatus],
) -> Page:
    """Return a page of the matches at which a player sits."""
    source = (
        "FROM sitting AS listed CROSS JOIN matches USING (match_id) WHERE player_id = :player_id"
    )
    found = _listed(connection, source, {"player_id": player_id}, statuses, page)
    return page_of(found, page.size)


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


def _query_terms(query: MatchQuery) -> tuple[str, dict[str, object]]:
    """Return the conditions of a query but for the status, and their arguments."""
    terms = ""
    arguments: dict[str, object] = {}
    if query.has_free_seat:
        terms += " AND has_free_seat"
    if query.has_no_password:
        terms += " AND json_extract(admission, '$.password') IS NULL"
    if query.presets:
        terms += " AND preset IN (SELECT value FROM json_each(:presets))"
        arguments["presets"] = json.dumps(sorted(query.presets))
    for number, (name, value) in enumerate(query.options):
        terms += f" AND json_extract(rules, :option{number}) = :value{number}"
        arguments |= {f"option{number}": f"$.{name}", f"value{number}": value}
    return terms, arguments


def _newest(
    connection: sqlite3.Connection, visibility: Visibility, query: MatchQuery, page: PageRequest
) -> list[MatchSummary]:
    terms, arguments = _query_terms(query)
    source = f"FROM matches AS listed WHERE visibility = :visibility{terms}"
    arguments = {**arguments, "visibility": visibility}
    return _listed(connection, source, arguments, query.statuses, page)


def _listed(
    connection: sqlite3.Connection,
    source: str,
    arguments: Mapping[str, object],
    statuses: Iterable[MatchStatus],
    page: PageRequest,
) -> list[MatchSummary]:
    """Return the page of the matches in `listed`, which has an index that begins with status.

    There is one match more than that if others follow.

    Each status is read by itself, along the index, and only as far as the page may reach.
    """
    after = parse_page_token(page.token)
    if after:
        source += " AND (listed.created_at, listed.match_id) < (:made, :after)"
        arguments = {**arguments, "made": after[0], "after": after[1]}
    statement = (
        f"SELECT {SUMMARY_COLUMNS} {source} AND listed.status = :status"
        " ORDER BY listed.created_at DESC, listed.match_id DESC LIMIT :rows"
    )
    found = [
        _summaries(connection, statement, {**arguments, "status": status, "rows": page.size + 1})
        for status in statuses
    ]
    return _first_of_all(found, page)


def _first_of_all(lists: Iterable[list[MatchSummary]], page: PageRequest) -> list[MatchSummary]:
    """Return the newest of several lists, each newest first: a page of them, and one more."""
    return list(islice(merge(*lists, key=page_key, reverse=True), page.size + 1))


def _summaries(
    connection: sqlite3.Connection, statement: str, arguments: Mapping[str, object]
) -> list[MatchSummary]:
    return [summary_of_row(row) for row in connection.execute(statement, arguments)]
