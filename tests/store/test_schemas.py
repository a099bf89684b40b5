"""A store of every version there ever was is opened by today's server, and its matches go on.

Each was recorded by the server of its time (`make record-store`). One that cannot be opened is a
broken promise: mend the code, never the file.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from durak_server.matches import History, MatchStatus
from durak_server.store import MatchQuery, PageRequest, SqliteStore
from durak_server.store.read_only import reading
from durak_server.store.schema import MIGRATIONS
from tests.app.commands import Ended, run
from tests.runtime.tables import done, live_matches, next_move

FOLDER = Path(__file__).parent / "schemas"
RECORDED = sorted(FOLDER.glob("version_*.sql"))
PAGE = PageRequest()

# Matches in the store of each version, by status.
MATCHES = {
    1: {"OPEN": 1, "PLAYING": 1, "FINISHED": 2},
    2: {"OPEN": 1, "PLAYING": 1, "FINISHED": 2},
    3: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
    4: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
    5: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
    6: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
    7: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
    8: {"OPEN": 1, "PLAYING": 2, "FINISHED": 2},
}


@pytest.fixture(params=MATCHES)
def version(request: pytest.FixtureRequest) -> int:
    """A version of the schema."""
    number: int = request.param
    return number


@pytest.fixture
def data(version: int, tmp_path: Path) -> Path:
    """A folder with the store that was recorded of a version."""
    with closing(sqlite3.connect(tmp_path / "durak.sqlite")) as store:
        store.executescript((FOLDER / f"version_{version}.sql").read_text("utf-8"))
        assert store.execute("PRAGMA user_version").fetchone() == (version,)
    return tmp_path


def test_there_is_a_store_of_every_version() -> None:
    assert list(MATCHES) == list(range(1, len(MIGRATIONS) + 1))
    assert [path.stem for path in RECORDED] == [f"version_{number}" for number in MATCHES]


def test_the_steps_to_a_version_still_lead_to_what_it_was(version: int, data: Path) -> None:
    with (
        closing(sqlite3.connect(data / "durak.sqlite")) as recorded,
        closing(sqlite3.connect(":memory:")) as today,
    ):
        today.executescript("".join(MIGRATIONS[:version]))
        assert tables(today) == tables(recorded)


def tables(store: sqlite3.Connection) -> list[tuple[str, str]]:
    """The tables and indices of a store, and the statements that made them."""
    made = "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name"
    return store.execute(made).fetchall()


async def test_a_store_of_any_version_is_brought_up_to_date_and_is_sound(
    version: int, data: Path
) -> None:
    await (await SqliteStore.open(data / "durak.sqlite")).close()

    with closing(sqlite3.connect(data / "durak.sqlite")) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    checked = run("log", "check", "--data", str(data))
    assert checked == Ended(0, f"{sum(MATCHES[version].values())} sound, 0 not\n", "")


async def test_its_matches_are_what_their_logs_say(version: int, data: Path) -> None:
    store = await SqliteStore.open(data / "durak.sqlite")
    with reading(data / "durak.sqlite") as kept:
        listed = {summary.match_id: summary for summary in kept.summaries()}
    for match_id, summary in listed.items():
        match = History(await store.read(match_id)).match
        assert match
        assert (match.status, match.sequence) == (summary.status, summary.sequence)
    await store.close()
    found = [summary.status.value for summary in listed.values()]
    assert {status: found.count(status) for status in found} == MATCHES[version]


async def test_a_match_in_its_middle_is_played_on(data: Path) -> None:
    store = await SqliteStore.open(data / "durak.sqlite")
    playing = MatchQuery(statuses=frozenset({MatchStatus.PLAYING}))
    (match_id, *_) = [one.match_id for one in (await store.list_public(playing, PAGE)).matches]
    async with live_matches(store) as live:
        live_match = await live.find(match_id)
        before = live_match.history.sequence
        moved = done(await live_match.submit(next_move(live_match.match)))
    assert moved.first == before + 1
    stored = await store.read(match_id, before)
    assert [record.event for record in stored] == [
        record.event for record in moved.history.records(before)
    ]
    await store.close()
