"""The lobby's watchers: whatever comes while the list is read is told once, and in its place."""

from itertools import pairwise

import pytest

from durak_server.matches import MatchStatus, MatchSummary
from durak_server.runtime import LobbyNews, LobbyWatcher, LogLost, ShuttingDown
from durak_server.store import MatchQuery, MemoryStore, PageRequest
from tests.runtime.faulty_stores import TornStore
from tests.runtime.tables import create, join, live_matches
from tests.store.logs import log

OPEN = MatchQuery(statuses=frozenset({MatchStatus.OPEN}))
MADE = log("m", players=["ann"]).summary
JOINED = log("m", players=["ann", "bob"]).summary
STARTED = log("m", players=["ann", "bob"], status=MatchStatus.PLAYING).summary

MEANWHILE: list[tuple[list[MatchSummary], bool, LobbyNews]] = [
    # changes before the page came, whether the page had the match before, what is told
    ([], True, LobbyNews()),
    ([MADE, JOINED], True, LobbyNews(added=(JOINED,))),
    ([MADE, JOINED, STARTED], True, LobbyNews()),
    ([MADE, JOINED], False, LobbyNews(added=(JOINED,))),
]


def noted(watcher: LobbyWatcher, states: list[MatchSummary]) -> None:
    """Tell a watcher of a match that went through these states."""
    for before, now in pairwise(states):
        watcher.note(before, now)


@pytest.mark.parametrize(("states", "is_in_page", "news"), MEANWHILE)
def test_what_changed_before_its_page_came_is_told_by_its_newest_state_alone(
    states: list[MatchSummary], is_in_page: bool, news: LobbyNews
) -> None:
    watcher = LobbyWatcher(OPEN)
    noted(watcher, states)
    listed = watcher.listing((MADE,) if is_in_page else ())
    watcher.list_is_whole()
    assert listed == (() if states else (MADE,))
    assert watcher.take(10) == news


AFTERWARDS = [
    ([MADE, JOINED], LobbyNews(changed=(JOINED,))),
    ([MADE, JOINED, MADE], LobbyNews(changed=(MADE,))),
    ([MADE, JOINED, STARTED], LobbyNews(removed=("m",))),
]


@pytest.mark.parametrize(("states", "news"), AFTERWARDS)
def test_what_changed_after_its_page_came_is_a_change_of_it(
    states: list[MatchSummary], news: LobbyNews
) -> None:
    for is_whole in (False, True):
        watcher = LobbyWatcher(OPEN)
        watcher.listing((MADE,))
        if is_whole:
            watcher.list_is_whole()
        noted(watcher, states)
        if not is_whole:
            watcher.list_is_whole()
        assert watcher.take(10) == news
        assert watcher.take(10) == LobbyNews()


def test_a_match_that_came_and_went_untold_is_never_told() -> None:
    watcher = LobbyWatcher(OPEN)
    watcher.list_is_whole()
    watcher.note(None, MADE)
    noted(watcher, [MADE, STARTED])
    assert watcher.take(10) == LobbyNews()


def test_a_slow_watcher_remembers_each_match_once_and_takes_some_at_a_time() -> None:
    watcher = LobbyWatcher(MatchQuery())
    watcher.list_is_whole()
    matches = [log(f"m{number}", players=["ann"]).summary for number in range(5)]
    for _ in range(1_000):
        for match in matches:
            watcher.note(match, match)
    taken = [watcher.take(2).changed for _ in range(4)]
    assert taken == [tuple(matches[:2]), tuple(matches[2:4]), tuple(matches[4:]), ()]


def test_a_watch_that_was_ended_says_so() -> None:
    watcher = LobbyWatcher(OPEN)
    watcher.end()
    with pytest.raises(ShuttingDown):
        watcher.take(1)


async def test_what_a_lost_log_held_is_told_once_it_is_read_again() -> None:
    store = TornStore()
    async with live_matches(store) as live:
        await live.submit("m", create(seats=3))
        with live.lobby.watch(MatchQuery()) as watcher:
            watcher.listing((await store.list_public(MatchQuery(), PageRequest())).matches)
            watcher.list_is_whole()
            store.is_torn, store.can_read = True, False
            with pytest.raises(LogLost):
                await live.submit("m", join("b"))
            assert watcher.take(10) == LobbyNews()

            store.is_torn, store.can_read = False, True
            await live.find("m")
            await watcher.wait(60)

            (changed,) = watcher.take(10).changed
            assert changed.sitting == ("a", "b")


async def test_a_match_read_from_the_store_as_it_was_is_no_news() -> None:
    store = MemoryStore()
    async with live_matches(store) as live:
        await live.submit("m", create(seats=3))
    async with live_matches(store) as again:
        with again.lobby.watch(MatchQuery()) as watcher:
            watcher.list_is_whole()
            await again.submit("m", join("b"))
            (changed,) = watcher.take(10).changed
            assert changed.match_id == "m"
            await again.submit("n", create("n"))
            assert [match.match_id for match in watcher.take(10).added] == ["n"]
