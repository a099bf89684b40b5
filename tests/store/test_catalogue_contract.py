"""What every store promises about the lobby's catalogue."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from durak_server.matches import LeaveMatch, MatchStatus, Visibility
from durak_server.rules import Preset, RuleSet, ThrowIn
from durak_server.store import (
    EventStore,
    InvalidPageToken,
    MatchQuery,
    Page,
    PageRequest,
)
from durak_server.store.paging import page_token
from tests.matches.tabletop import MATCH_ID, NOON, playing_table
from tests.store.logs import Log, log, log_of

ANY_STATUS = frozenset(MatchStatus)
THREE = RuleSet(seats=3)
PROSTOY = RuleSet(seats=2, throw_in=ThrowIn.NONE, lead_many=False)

LOBBY = [
    log("free", made=1, players=["ann"]),
    log("full", made=2),
    log("hidden", made=3, visibility=Visibility.UNLISTED),
    log("bots", made=4, players=["ann", "bot"], status=MatchStatus.PLAYING),
    log("three", made=5, players=["ann", "cid"], rules=THREE),
    log("prostoy", made=6, status=MatchStatus.PLAYING, preset=Preset.PROSTOY, rules=PROSTOY),
    log("over", made=7, status=MatchStatus.FINISHED),
    log("gone", made=8, players=["cid"], status=MatchStatus.ABANDONED),
]


async def keep_all(store: EventStore, logs: Sequence[Log]) -> None:
    for one in logs:
        await one.keep_by_steps(store, step=20)


def ids(page: Page) -> list[str]:
    return [match.match_id for match in page.matches]


QUERIES: list[tuple[MatchQuery, list[str]]] = [
    (MatchQuery(), ["prostoy", "three", "bots", "full", "free"]),
    (MatchQuery(statuses=frozenset({MatchStatus.OPEN})), ["three", "full", "free"]),
    (MatchQuery(statuses=frozenset({MatchStatus.FINISHED})), ["over"]),
    (MatchQuery(statuses=frozenset()), []),
    (
        MatchQuery(statuses=ANY_STATUS),
        ["gone", "over", "prostoy", "three", "bots", "full", "free"],
    ),
    (MatchQuery(has_free_seat=True), ["three", "free"]),
    (MatchQuery(statuses=ANY_STATUS, has_free_seat=True), ["three", "free"]),
    (MatchQuery(presets=frozenset({Preset.PROSTOY})), ["prostoy"]),
    (
        MatchQuery(presets=frozenset({Preset.PROSTOY, Preset.PODKIDNOY})),
        ["prostoy", "three", "bots", "full", "free"],
    ),
    (MatchQuery(options=(("seats", 3),)), ["three"]),
    (MatchQuery(options=(("lead_many", False),)), ["prostoy"]),
    (MatchQuery(options=(("throw_in", ThrowIn.ALL), ("seats", 2))), ["bots", "full", "free"]),
    (MatchQuery(options=(("throw_in", ThrowIn.NONE), ("lead_many", True))), []),
]


@pytest.mark.parametrize(("query", "found"), QUERIES)
async def test_public_matches_are_listed_newest_first_by_their_filters(
    store: EventStore, query: MatchQuery, found: list[str]
) -> None:
    await keep_all(store, LOBBY)
    assert ids(await store.list_public(query, PageRequest(50))) == found


async def test_all_matches_are_listed_unlisted_ones_too_page_by_page(store: EventStore) -> None:
    await keep_all(store, LOBBY)
    newest_first = ["gone", "over", "prostoy", "three", "bots", "hidden", "full", "free"]
    for size in (1, 3, 8, 50):
        found, token = list[str](), ""
        while not found or token:
            page = await store.list_all(MatchQuery(ANY_STATUS), PageRequest(size, token))
            found, token = found + ids(page), page.next_token
        assert found == newest_first
    prostoy = MatchQuery(presets=frozenset({Preset.PROSTOY}))
    assert ids(await store.list_all(prostoy, PageRequest(50))) == ["prostoy"]


async def test_a_listed_match_is_told_whole(store: EventStore) -> None:
    await keep_all(store, LOBBY)
    page = await store.list_public(MatchQuery(statuses=ANY_STATUS), PageRequest(50))
    by_id = {match.match_id: match for match in page.matches}
    told = {one.match_id: one.summary for one in LOBBY if one.match_id != "hidden"}
    assert by_id == told


PLAYERS: list[tuple[str, frozenset[MatchStatus], list[str]]] = [
    ("ann", frozenset({MatchStatus.OPEN}), ["three", "hidden", "full", "free"]),
    ("ann", frozenset({MatchStatus.PLAYING}), ["prostoy", "bots"]),
    ("ann", ANY_STATUS, ["over", "prostoy", "three", "bots", "hidden", "full", "free"]),
    ("bob", ANY_STATUS, ["over", "prostoy", "hidden", "full"]),
    ("cid", ANY_STATUS, ["three"]),  # he left "gone"
    ("bot", ANY_STATUS, []),
    ("dan", ANY_STATUS, []),
]


@pytest.mark.parametrize(("player", "statuses", "found"), PLAYERS)
async def test_a_player_finds_the_matches_that_he_sits_at(
    store: EventStore, player: str, statuses: frozenset[MatchStatus], found: list[str]
) -> None:
    await keep_all(store, LOBBY)
    assert ids(await store.list_of_player(player, PageRequest(50), statuses)) == found


@pytest.mark.parametrize(("player", "number"), [("ann", 6), ("bob", 3), ("cid", 1), ("dan", 0)])
async def test_unfinished_matches_of_a_player_are_counted(
    store: EventStore, player: str, number: int
) -> None:
    await keep_all(store, LOBBY)
    assert await store.count_running(player) == number


async def test_a_leaver_sits_no_more_though_the_seat_stays_his(store: EventStore) -> None:
    table = playing_table(THREE)
    table.do(LeaveMatch("p1", ""))
    await log_of(table).keep_by_steps(store)
    assert await store.count_running("p1") == 0
    assert ids(await store.list_of_player("p1", PageRequest())) == []
    assert ids(await store.list_of_player("p2", PageRequest())) == [MATCH_ID]


async def test_unfinished_matches_with_bots_are_found(store: EventStore) -> None:
    over = log("bots-over", made=9, players=["ann", "bot"], status=MatchStatus.FINISHED)
    await keep_all(store, [*LOBBY, over])
    assert await store.unfinished_with_bots() == ["bots"]


LONG_AGO = NOON - timedelta(days=1)
TIMED = RuleSet(seats=2, turn_seconds=30)
IDLE: list[tuple[datetime, datetime, str, int, list[str]]] = [
    # open since        playing since       after    most  found
    (LONG_AGO, LONG_AGO, "", 9, []),
    (NOON + timedelta(seconds=4), LONG_AGO, "", 9, ["free", "full", "hidden"]),
    (NOON + timedelta(seconds=4), LONG_AGO, "free", 9, ["full", "hidden"]),
    (NOON + timedelta(seconds=4), LONG_AGO, "", 2, ["free", "full"]),
    (LONG_AGO, NOON + timedelta(hours=1), "", 9, ["bots", "prostoy", "timed"]),
    (LONG_AGO, NOON + timedelta(seconds=10), "", 9, ["bots", "prostoy", "timed"]),
    (LONG_AGO, NOON + timedelta(seconds=6), "", 9, ["bots"]),
    (NOON + timedelta(hours=1), NOON + timedelta(hours=1), "full", 2, ["hidden", "prostoy"]),
]


@pytest.mark.parametrize(("open_since", "playing_since", "after", "most", "found"), IDLE)
async def test_matches_that_may_be_forgotten_are_found(
    store: EventStore,
    open_since: datetime,
    playing_since: datetime,
    after: str,
    most: int,
    found: list[str],
) -> None:
    timed = log("timed", made=9, status=MatchStatus.PLAYING, rules=TIMED, idle_seconds=300)
    await keep_all(store, [*LOBBY, timed])
    assert await store.idle_matches(open_since, playing_since, after, most) == found


async def test_matches_are_counted_by_status_and_preset(store: EventStore) -> None:
    assert await store.counts() == {}
    await keep_all(store, LOBBY)
    assert await store.counts() == {
        (MatchStatus.OPEN, Preset.PODKIDNOY): 4,
        (MatchStatus.PLAYING, Preset.PODKIDNOY): 1,
        (MatchStatus.PLAYING, Preset.PROSTOY): 1,
        (MatchStatus.FINISHED, Preset.PODKIDNOY): 1,
        (MatchStatus.ABANDONED, Preset.PODKIDNOY): 1,
    }


@pytest.mark.parametrize("code", ["FULL", "full", "Full"])
async def test_a_match_is_found_by_its_code_in_upper_and_lower_case(
    store: EventStore, code: str
) -> None:
    await keep_all(store, LOBBY)
    assert await store.find_invite(code) == "full"


async def test_a_wrong_code_finds_nothing(store: EventStore) -> None:
    await keep_all(store, LOBBY)
    assert await store.find_invite("WRONG") is None


async def test_of_two_matches_with_one_code_the_newer_is_found(store: EventStore) -> None:
    old = log("old", made=1, invite_code="CODE")
    await old.keep(store, 0, 2)
    await log("new", made=2, invite_code="CODE").keep(store)
    await old.keep(store, 2)
    assert await store.find_invite("CODE") == "new"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8, 100])
async def test_pages_hold_every_match_once(store: EventStore, size: int) -> None:
    # Two are made at the same moment: their ids decide.
    logs = [log(f"m{number}", made=number // 2) for number in range(8)]
    await keep_all(store, logs)
    pages = await all_pages(store, size)
    assert [match for page in pages for match in page] == [
        f"m{n}" for n in (7, 6, 5, 4, 3, 2, 1, 0)
    ]
    assert all(len(page) == size for page in pages[:-1])
    assert pages[-1]


async def all_pages(store: EventStore, size: int) -> list[list[str]]:
    pages = []
    token = ""
    while True:
        page = await store.list_public(MatchQuery(), PageRequest(size, token))
        pages.append(ids(page))
        token = page.next_token
        if not token:
            return pages


async def test_what_is_made_meanwhile_moves_no_match_to_another_page(store: EventStore) -> None:
    await keep_all(store, [log(f"m{number}", made=number) for number in range(4)])
    first = await store.list_public(MatchQuery(), PageRequest(2))
    await log("newest", made=99).keep(store)
    second = await store.list_public(MatchQuery(), PageRequest(2, first.next_token))
    assert (ids(first), ids(second), second.next_token) == (["m3", "m2"], ["m1", "m0"], "")


async def test_a_match_that_starts_while_matches_are_listed_is_listed_once(
    store: EventStore,
) -> None:
    playing = [log(f"m{n:02}", made=n, status=MatchStatus.PLAYING) for n in range(30)]
    for one in playing:
        await one.keep(store, 0, 3)
    pages = asyncio.gather(*(store.list_public(MatchQuery(), PageRequest(50)) for _ in range(60)))
    await asyncio.gather(*(one.keep(store, 3) for one in playing))
    expected = [one.match_id for one in reversed(playing)]
    assert [ids(page) for page in await pages] == [expected] * 60


async def test_a_players_matches_are_paged_like_the_public_ones(store: EventStore) -> None:
    await keep_all(store, LOBBY)
    first = await store.list_of_player("ann", PageRequest(3), ANY_STATUS)
    second = await store.list_of_player("ann", PageRequest(3, first.next_token), ANY_STATUS)
    assert ids(first) + ids(second) == ["over", "prostoy", "three", "bots", "hidden", "full"]


FOREIGN_TOKENS = [
    *("x", "!!!", "%", "é", "MTIz", "bm90OmE=", "MTI6YQ==x"),
    page_token((-1, "a")),
    page_token((2**64, "a")),
]


@pytest.mark.parametrize("token", FOREIGN_TOKENS)
async def test_a_page_token_of_somebody_else_is_refused(store: EventStore, token: str) -> None:
    with pytest.raises(InvalidPageToken):
        await store.list_public(MatchQuery(), PageRequest(5, token))
    with pytest.raises(InvalidPageToken):
        await store.list_of_player("ann", PageRequest(5, token))


async def test_an_empty_store_has_an_empty_page(store: EventStore) -> None:
    assert await store.list_public(MatchQuery(), PageRequest()) == Page((), "")
