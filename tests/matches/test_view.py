"""A match as its viewers see it."""

from dataclasses import replace

import pytest

from durak_server.matches import (
    LeaveMatch,
    MatchReason,
    MatchRefusal,
    MatchStatus,
    MatchView,
    Player,
    match_view,
    past_viewer,
    replay_viewer,
    summary,
)
from durak_server.rules import Leave, RuleSet, legal_moves, view
from tests.matches.tabletop import (
    INVITE_CODE,
    MATCH_ID,
    NOON,
    finished_table,
    open_table,
    playing_table,
)

THREE = RuleSet(seats=3)


def test_before_the_first_deal_there_is_no_table() -> None:
    assert match_view(open_table(THREE).match, 0) == MatchView(
        match_id=MATCH_ID,
        sequence=2,
        status=MatchStatus.OPEN,
        seat=0,
        seats=(Player("p0", "Player 0"), None, None),
        times_fool=(0, 0, 0),
        deal=0,
        table=None,
        clocks=(),
        banks=(),
    )


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_view_holds_the_deal_as_the_seat_sees_it(seat: int | None) -> None:
    match = playing_table(THREE).match
    assert match.position
    seen = match_view(match, seat)
    assert (seen.deal, seen.status, seen.seat) == (1, MatchStatus.PLAYING, seat)
    assert seen.table == view(match.position, seat)
    moves = () if seat is None else tuple(legal_moves(match.position, seat))
    assert seen.table.legal_moves == moves


def test_a_finished_match_shows_the_last_deal_and_its_result() -> None:
    match = finished_table(THREE).match
    seen = match_view(match, 1)
    assert seen.table
    assert seen.table.result == match.last_result
    assert (seen.table.legal_moves, seen.table.to_act) == ((), ())


def test_nobody_may_act_in_an_abandoned_match() -> None:
    table = playing_table(THREE, bots=2)
    table.do(LeaveMatch("p0", ""))
    position = table.match.position
    assert position
    assert not position.result
    for seat in (0, 1, 2, None):
        seen = match_view(table.match, seat)
        assert seen.table == replace(view(position, seat), to_act=(), legal_moves=())


@pytest.mark.parametrize("leave", Leave)
def test_a_leaver_is_shown_what_a_spectator_is_shown(leave: Leave) -> None:
    table = playing_table(replace(THREE, leave=leave))
    table.do(LeaveMatch("p2", ""))
    assert table.match.seat_of("p2") == 2
    assert table.match.active_seat_of("p2") is None
    assert replay_viewer(table.match, "p2") is None
    assert past_viewer(table.match, "p2", None, open_cards=False) is None
    refused = past_viewer(table.match, "p2", 2, open_cards=False)
    assert refused == MatchRefusal(MatchReason.MATCH_NOT_OVER)


def test_a_leaver_sees_that_he_left_and_holds_no_cards() -> None:
    table = playing_table(THREE)
    table.do(LeaveMatch("p2", ""))
    seen = match_view(table.match, 2)
    assert seen.seats[2] == Player("p2", "Player 2", has_left=True)
    assert seen.table
    assert (seen.table.hand, seen.table.legal_moves) == ((), ())


def test_a_summary_tells_what_the_lobby_lists() -> None:
    table = playing_table(THREE, bots=1)
    told = summary(table.match)
    assert (told.match_id, told.status, told.deal) == (MATCH_ID, MatchStatus.PLAYING, 1)
    assert (told.created_at > NOON, told.updated_at) == (True, table.match.updated_at)
    assert (told.invite_code, told.sequence) == (INVITE_CODE, table.history.sequence)
    assert (told.sitting, told.has_bots, told.has_free_seat) == (("p0", "p1"), True, False)


def test_a_summary_counts_no_leaver_among_those_who_sit() -> None:
    table = playing_table(THREE)
    table.do(LeaveMatch("p1", ""))
    assert summary(table.match).sitting == ("p0", "p2")


@pytest.mark.parametrize(
    ("status", "is_free"),
    [(MatchStatus.OPEN, True), (MatchStatus.ABANDONED, False)],
)
def test_only_an_open_match_has_free_seats(status: MatchStatus, is_free: bool) -> None:
    match = replace(open_table(THREE).match, status=status)
    assert summary(match).has_free_seat is is_free
