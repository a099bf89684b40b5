"""Leaving during the play (rules.md, 8.7)."""

from dataclasses import replace

import pytest

from durak_server.matches import (
    BotLevel,
    ClocksSet,
    DealCommitted,
    LeaveMatch,
    MakeMove,
    MatchAbandoned,
    MatchFinished,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    MatchStatus,
    OwnerChanged,
    PlayerLeft,
    PlayOn,
    Record,
    SeedRevealed,
    apply,
    decide,
    summary,
)
from durak_server.rules import (
    BoutEnded,
    BoutOutcome,
    BoutStarted,
    DealEnded,
    DealEndReason,
    DealStarted,
    Forfeited,
    Leave,
    NextLeader,
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


def table_with_one_out(policy: Leave = Leave.FORFEIT) -> tuple[Tabletop, int]:
    """Return a match of three deals, and a seat that is out of the first, not its owner's."""
    for seed in range(100):
        table = playing_table(RuleSet(seats=4, deals=3, leave=policy), seed)
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


RESTART = RuleSet(seats=4, leave=Leave.RESTART_DEAL)
VOID = DealEnded((), (), 0, DealEndReason.VOID)


def test_if_players_go_the_cards_are_dealt_again_to_those_who_stay() -> None:
    table = playing_table(RESTART, seed=5, commits=True)
    shuffle = table.match.shuffle
    assert shuffle
    left, void, shown, dealt, bout, committed = table.do(LeaveMatch("p2", ""))
    assert (left, void, shown) == (
        PlayerLeft(2, "p2"),
        VOID,
        SeedRevealed(1, shuffle.server_seed),
    )
    assert isinstance(dealt, DealStarted)
    assert isinstance(bout, BoutStarted)
    assert isinstance(committed, DealCommitted)
    assert (dealt.dealer, dealt.seats) == (0, (0, 1, 3))
    match = table.match
    assert match.position
    assert match.position.in_play == 0b1011
    assert (match.deal, match.deals_played, match.times_fool) == (1, 0, (0, 0, 0, 0))
    *_, last_move = table.moves_until_over()
    assert isinstance(last_move[-1], MatchFinished)
    assert last_move[-1].times_fool[2] == 0
    assert table.match.deal == 1


def test_if_the_dealer_goes_the_next_clockwise_deals_anew() -> None:
    table = playing_table(RESTART)
    events = table.do(LeaveMatch("p0", ""))
    (dealt,) = [event for event in events if isinstance(event, DealStarted)]
    assert (dealt.dealer, dealt.seats) == (1, (1, 2, 3))


def test_a_match_of_several_deals_goes_on_among_those_who_stay() -> None:
    table = playing_table(replace(RESTART, deals=3, next_leader=NextLeader.LEFT_OF_FOOL), seed=2)
    table.do(LeaveMatch("p1", ""))
    starts = []
    for events in table.moves_until_over():
        starts += [event for event in events if isinstance(event, DealStarted)]
    assert [start.seats for start in starts] == [(0, 2, 3)] * 2
    assert all(start.dealer != 1 != start.leader for start in starts)
    assert (table.match.deal, table.match.deals_played) == (3, 3)
    assert table.match.status is MatchStatus.FINISHED


def test_who_is_out_of_the_deal_leaves_it_as_it_is_and_is_dealt_no_more() -> None:
    table, seat = table_with_one_out(Leave.RESTART_DEAL)
    assert table.do(LeaveMatch(f"p{seat}", "")) == (PlayerLeft(seat, f"p{seat}"),)
    staying = tuple(other for other in range(4) if other != seat)
    for events in table.moves_until_over():
        for event in events:
            if isinstance(event, DealStarted):
                assert event.seats == staying
    assert table.match.deals_played == 3


@pytest.mark.parametrize(
    ("rules", "result"),
    [
        (replace(RESTART, seats=2), DealEnded((1,), ((0,), (1,)), 0, DealEndReason.FORFEIT)),
        (
            replace(RESTART, teams=Teams.ALTERNATE),
            DealEnded((1, 3), ((0, 2), (1, 3)), 0, DealEndReason.FORFEIT),
        ),
    ],
    ids=["one stays", "teams"],
)
def test_where_nobody_can_be_dealt_cards_again_the_leaver_forfeits(
    rules: RuleSet, result: DealEnded
) -> None:
    table = playing_table(replace(rules, deals=5))
    *_, ended, finished = table.do(LeaveMatch("p1", ""))
    assert ended == result
    assert isinstance(finished, MatchFinished)
    assert table.match.status is MatchStatus.FINISHED


def test_a_void_deal_is_not_dealt_again_to_bots_alone() -> None:
    table = playing_table(replace(RESTART, seats=3), bots=2)
    assert table.do(LeaveMatch("p0", "")) == (PlayerLeft(0, "p0"), VOID, MatchAbandoned())


HOUSE = RuleSet(seats=3, leave=Leave.BOT, deals=2)


def test_the_house_plays_on_for_a_leaver_to_the_end_of_the_match() -> None:
    table = playing_table(HOUSE, seed=4)
    before = table.match.position
    assert table.do(LeaveMatch("p1", "")) == (PlayerLeft(1, "p1"),)
    assert table.match.position == before
    assert [table.match.bot_at(seat) for seat in range(3)] == [None, BotLevel.LOWEST, None]
    assert summary(table.match).has_bots
    for _ in table.moves_until_over():
        pass
    assert (table.match.status, table.match.deals_played) == (MatchStatus.FINISHED, 2)
    by_house = [record for record in table.history.records(0) if record.player_id == ""]
    assert by_house


def test_the_house_plays_for_nobody_who_stays_and_a_leaver_not_for_himself() -> None:
    table = playing_table(HOUSE)
    table.do(LeaveMatch("p1", ""))
    seat, move = table.any_move()
    while seat != 1:
        table.move(seat, move)
        seat, move = table.any_move()
    not_seated = MatchRefusal(MatchReason.NOT_SEATED)
    assert table.ask(MakeMove("p1", "", move)) == not_seated
    assert table.ask(PlayOn(0, move)) == not_seated
    assert table.do(PlayOn(1, move))


def test_no_clock_runs_for_whom_the_house_plays() -> None:
    table = playing_table(replace(HOUSE, turn_seconds=30))
    (clock,) = table.match.clocks
    assert table.do(LeaveMatch(f"p{clock.seat}", ""))[-1] == ClocksSet(())


def test_the_house_plays_not_on_among_itself() -> None:
    table = playing_table(HOUSE, bots=1)
    table.do(LeaveMatch("p1", ""))
    assert table.do(LeaveMatch("p0", "")) == (PlayerLeft(0, "p0"), MatchAbandoned())
