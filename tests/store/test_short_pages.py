"""A page looks at so many matches and no more: pages may be short, and together they are whole."""

from collections.abc import Awaitable, Callable
from random import Random

import pytest

from durak_server.matches import MatchStatus, MatchSummary, Visibility
from durak_server.rules import Preset, RuleSet, ThrowIn
from durak_server.store import EventStore, MatchQuery, Page, PageRequest
from durak_server.store.paging import page_key
from tests.store.logs import log
from tests.store.rows import keep_rows, rows_of

ANY_STATUS = frozenset(MatchStatus)
PROSTOY = RuleSet(seats=2, throw_in=ThrowIn.NONE, lead_many=False)
OVER = log("over", status=MatchStatus.FINISHED).summary
KINDS = [
    one.summary
    for one in (
        log("free", players=["ann"]),
        log("full"),
        log("hidden", visibility=Visibility.UNLISTED),
        log("three", players=["ann", "cid"], rules=RuleSet(seats=3)),
        log("bots", players=["ann", "bot"], status=MatchStatus.PLAYING),
        log("prostoy", status=MatchStatus.PLAYING, preset=Preset.PROSTOY, rules=PROSTOY),
        log("gone", players=["cid"], status=MatchStatus.ABANDONED),
    )
] + [OVER] * 3
OPTIONS: list[tuple[str, str | int | bool]] = [
    ("seats", 2),
    ("seats", 3),
    ("lead_many", False),
    ("throw_in", ThrowIn.ALL),
]
NOTHING = MatchQuery(ANY_STATUS, frozenset(Preset), (("seats", 6), ("deals", 9)))
"""A query that no match fits."""

List = Callable[[MatchQuery, PageRequest], Awaitable[Page]]


async def all_pages(
    list_: List, query: MatchQuery, size: int = 20, most_looked_at: int = 1_000
) -> list[Page]:
    """Return the pages to the last."""
    pages = [await list_(query, PageRequest(size, "", most_looked_at))]
    while pages[-1].next_token:
        request = PageRequest(size, pages[-1].next_token, most_looked_at)
        pages.append(await list_(query, request))
    return pages


def newest_first(rows: list[MatchSummary]) -> list[MatchSummary]:
    return sorted(rows, key=page_key, reverse=True)


def some_query(random: Random) -> MatchQuery:
    """Return one of thousands of queries; some fit much, and some nothing."""
    return MatchQuery(
        statuses=frozenset(random.sample(list(MatchStatus), random.randint(0, 4))),
        presets=frozenset(random.sample(list(Preset), random.choice([0, 0, 1, 2]))),
        options=tuple(random.sample(OPTIONS, random.choice([0, 0, 1, 2]))),
        has_free_seat=random.random() < 0.3,
        has_no_password=random.random() < 0.3,
    )


@pytest.mark.parametrize("seed", range(4))
async def test_short_pages_make_up_the_whole_list(store: EventStore, seed: int) -> None:
    random = Random(seed)
    rows = rows_of(random.choices(KINDS, k=50), 150)
    random.shuffle(rows)
    await keep_rows(store, rows)

    for _ in range(50):
        query = some_query(random)
        size, most = random.randint(1, 12), random.randint(1, 40)
        for list_, fits in ((store.list_public, query.fits), (store.list_all, query.describes)):
            pages = await all_pages(list_, query, size, most)

            told = [match for page in pages for match in page.matches]
            assert told == newest_first([row for row in rows if fits(row)])
            assert all(len(page.matches) <= size for page in pages)
            if not query.takes_all:
                assert all(len(page.matches) + page.passed_over <= most for page in pages)


async def test_a_filter_that_fits_nothing_is_tried_on_a_thousand_matches_a_page(
    store: EventStore,
) -> None:
    await keep_rows(store, rows_of([OVER], 2_500))

    pages = await all_pages(store.list_public, NOTHING)

    assert [(page.matches, page.passed_over) for page in pages] == [
        ((), 1_000),
        ((), 1_000),
        ((), 500),
    ]


async def test_a_page_passes_over_what_lies_between_its_matches(store: EventStore) -> None:
    rows = rows_of([OVER, *KINDS[:2]], 12)
    await keep_rows(store, rows)

    pages = await all_pages(store.list_public, MatchQuery(ANY_STATUS, has_free_seat=True), size=2)

    told = [[match.match_id for match in page.matches] for page in pages]
    assert told == [["m00010", "m00007"], ["m00004", "m00001"]]
    assert [page.passed_over for page in pages] == [3, 5]


async def test_a_page_of_all_matches_is_full_however_many_there_are(store: EventStore) -> None:
    await keep_rows(store, rows_of([OVER, *KINDS[:2]], 60))

    pages = await all_pages(store.list_all, MatchQuery(ANY_STATUS), size=25, most_looked_at=7)

    assert [(len(page.matches), page.passed_over) for page in pages] == [(25, 0), (25, 0), (10, 0)]
