"""Leaving during the play (rules.md, 8.7)."""

import pytest

from durak_server.matches import (
    LeaveMatch,
    MatchAbandoned,
    MatchFinished,
    MatchStarted,
    MatchStatus,
    OwnerChanged,
    PlayerLeft,
    Record,
    apply,
    decide,
)
from durak_server.rules import (
    BoutEnded,
    BoutOutcome,
    BoutStarted,
    DealEnded,
    DealEndReason,
    Forfeited,
    RuleSet,
    Teams,
    forfeit,
)
from tests.matches.tabletop import NOON, Tabletop, full_table, playing_table


def test_of_two_players_the_leaver_is_the_fool_and_the_match_is_finished() -> None:
    table = playing_table(RuleSet(seats=2, deals=5))
    assert table.do(LeaveMatch("p1", "")) == (
        PlayerLeft(1, "p1"),
        BoutEnded(BoutOutcome.VOID, ()),
        Forfeited(1),
        DealEnded((1,), ((0,), (1,)), 0, DealEndReason.FORFEIT),
        MatchFinished((0, 1)),
    )
    assert table.match.status is MatchStatus.FINISHED
    assert [player and player.has_left for player in table.match.seats] == [False, True]


def test_the_owner_hands_over_and_his_deal_is_forfeited() -> None:
    table = playing_table(RuleSet(seats=3))
    position = table.match.position
    assert position
    _, forfeited = forfeit(position, 0)
    assert table.do(LeaveMatch("p0", "")) == (
        PlayerLeft(0, "p0"),
        OwnerChanged("p1"),
        *forfeited,
    )
    assert isinstance(forfeited[-1], BoutStarted)
    assert table.match.status is MatchStatus.PLAYING


def test_those_who_stay_play_on_and_the_match_ends_with_their_deal() -> None:
    table = playing_table(RuleSet(seats=4, deals=9), seed=3)
    table.do(LeaveMatch("p2", ""))
    *_, last_move = table.moves_until_over()
    ended, finished = last_move[-2:]
    assert isinstance(ended, DealEnded)
    assert 2 in ended.fools
    assert ended.places[-1] == (2,)
    assert finished == MatchFinished(tuple(int(seat in ended.fools) for seat in range(4)))
    assert (table.match.deal, table.match.deals_played) == (1, 1)


def test_the_side_of_a_leaver_loses() -> None:
    table = playing_table(RuleSet(seats=4, teams=Teams.ALTERNATE))
    *_, ended, finished = table.do(LeaveMatch("p3", ""))
    assert ended == DealEnded((1, 3), ((0, 2), (1, 3)), 0, DealEndReason.FORFEIT)
    assert finished == MatchFinished((0, 1, 0, 1))


def test_who_is_out_of_the_deal_keeps_his_place_when_he_leaves() -> None:
    table, seat = table_with_one_out()
    assert table.do(LeaveMatch(f"p{seat}", "")) == (PlayerLeft(seat, f"p{seat}"),)
    *_, last_move = table.moves_until_over()
    ended = last_move[-2]
    assert isinstance(ended, DealEnded)
    assert ended.places[0] == (seat,)
    assert seat not in ended.fools


def table_with_one_out() -> tuple[Tabletop, int]:
    """Return a match of three deals, and a seat that is out of the first, not its owner's."""
    for seed in range(100):
        table = playing_table(RuleSet(seats=4, deals=3), seed)
        for _ in table.moves_until_over():
            position = table.match.position
            if position and table.match.deal == 1 and position.out not in ((), ((0,),)):
                ((seat, *_), *_) = position.out
                return table, seat
    raise AssertionError("nobody goes out")


@pytest.mark.parametrize("seats", [2, 3])
def test_bots_among_themselves_play_no_more_and_the_match_is_abandoned(seats: int) -> None:
    table = playing_table(RuleSet(seats=seats, deals=2), bots=seats - 1)
    events = table.do(LeaveMatch("p0", ""))
    assert events[0] == PlayerLeft(0, "p0")
    assert Forfeited(0) in events
    assert events[-1] == MatchAbandoned()
    assert not any(isinstance(event, OwnerChanged | MatchFinished) for event in events)
    assert table.match.status is MatchStatus.ABANDONED


def test_humans_who_leave_one_by_one_end_the_match() -> None:
    table = playing_table(RuleSet(seats=3))
    table.do(LeaveMatch("p1", ""))
    *_, ended, finished = table.do(LeaveMatch("p0", ""))
    # An earlier leaver is placed below a later one.
    assert ended == DealEnded((0, 1), ((2,), (0,), (1,)), 0, DealEndReason.FORFEIT)
    assert finished == MatchFinished((1, 1, 0))


def test_leaving_between_the_start_and_the_first_deal_ends_the_match() -> None:
    table = full_table(RuleSet(seats=3))
    started = Record(table.match.sequence + 1, NOON, MatchStarted())
    events = decide(apply(table.match, started), LeaveMatch("p1", ""))
    assert events == (PlayerLeft(1, "p1"), MatchFinished((0, 0, 0)))
