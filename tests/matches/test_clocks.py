"""Whose time runs, until when, and what happens when it is over (rules.md, 15)."""

from datetime import timedelta

import pytest
from hypothesis import given, settings, strategies

from durak_server.matches import (
    ClockCredited,
    ClocksSet,
    CreditClocks,
    CreditLateReturn,
    CreditReason,
    EndTurns,
    MakeMove,
    MatchFinished,
    MatchStatus,
    PlayerKind,
    SeatClock,
    StartMatch,
    TimeRanOut,
    match_view,
)
from durak_server.rules import (
    Beaten,
    BoutEnded,
    BoutOutcome,
    BoutStarted,
    Card,
    DealEnded,
    DealEndReason,
    Forfeited,
    Led,
    Move,
    MoveKind,
    OnTimeout,
    Passed,
    RuleSet,
    TakeDeclared,
    ThrowInPriority,
    ThrownIn,
    deck_cards,
    mask_of,
    must_act,
    parse_card,
)
from tests.matches.random_matches import TIMED_RULE_SETS
from tests.matches.tabletop import Tabletop, full_table, playing_table

TURN = timedelta(seconds=30)
BANK = timedelta(seconds=60)
TIMED = RuleSet(seats=3, turn_seconds=30, bank_seconds=60)
FREE = RuleSet(seats=3, turn_seconds=30, throw_in_priority=ThrowInPriority.FREE)


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names.split()))


# p0 deals, so seat 1 gets every first card, seat 2 every second; hearts are trump.
HANDS = {
    1: "6S 7S 8S 9S TS 7D",
    2: "8C 9C TC JC KS AS",
    0: "6D 8D 9D TD JD 6C",
}
TURNED_UP = "6H"


def dealt(rules: RuleSet) -> Tabletop:
    """Return a match of three whose hands are HANDS; seat 1 has to lead."""
    table = full_table(rules)
    dealt_out = [card for turn in zip(*(cards(HANDS[seat]) for seat in (1, 2, 0)), strict=True)
                 for card in turn]  # fmt: skip
    first = (*dealt_out, parse_card(TURNED_UP))
    table.next_deal((*first, *(card for card in deck_cards(36) if card not in first)))
    table.do(StartMatch("p0", ""))
    return table


def play(table: Tabletop, seat: int, kind: MoveKind, names: str = "", target: str = "") -> None:
    """Make a move five seconds after what was before."""
    table.now += timedelta(seconds=5)
    aim = parse_card(target) if target else -1
    table.move(seat, Move(kind, mask_of(cards(names)), aim))


def running(table: Tabletop) -> dict[int, float]:
    """Return the seconds that each running clock has left."""
    return {
        clock.seat: (clock.deadline - table.now).total_seconds() for clock in table.match.clocks
    }


def test_without_turn_seconds_there_is_no_clock() -> None:
    table = playing_table(RuleSet(seats=3))
    assert table.match.clocks == ()


def test_the_first_clock_is_the_leaders_with_his_turn_and_his_reserve() -> None:
    table = dealt(TIMED)
    clock = SeatClock(1, table.now + TURN + BANK, BANK)
    assert table.history.records(0)[-1].event == ClocksSet((clock,))
    assert table.match.clocks == (clock,)
    view = match_view(table.match, None)
    assert (view.clocks, view.banks) == ((clock,), (BANK,) * 3)


def test_while_a_card_is_uncovered_only_the_defenders_time_runs() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    assert running(table) == {2: 30}


def test_a_card_thrown_in_does_not_start_the_defenders_clock_anew() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 0, MoveKind.THROW_IN, "8D")
    assert running(table) == {2: 24.75}


def test_a_pass_while_cards_are_uncovered_touches_no_clock() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 0, MoveKind.PASS)
    assert not isinstance(table.history.records(0)[-1].event, ClocksSet)
    assert running(table) == {2: 24.75}


def test_a_cover_starts_the_clock_of_who_must_act_next_and_of_nobody_else() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 0, MoveKind.THROW_IN, "8D")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    assert running(table) == {2: 30}  # a card is left, so the defender goes on


def test_the_last_cover_starts_the_clocks_of_all_attackers_who_are_asked() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    assert running(table) == {0: 30, 1: 30}


def test_one_attackers_pass_leaves_the_others_clock_as_it_is() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    play(table, 1, MoveKind.PASS)
    assert running(table) == {0: 24.75}


def test_attackers_asked_in_order_have_their_clock_in_order() -> None:
    table = dealt(TIMED)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    assert running(table) == {1: 90}
    play(table, 1, MoveKind.PASS)
    assert running(table) == {0: 90}


def test_after_the_take_who_throws_in_has_his_time_anew_and_no_other() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.TAKE)
    assert running(table) == {0: 30, 1: 30}
    play(table, 0, MoveKind.THROW_IN, "8D")
    assert running(table) == {0: 30, 1: 24.75}


def test_a_new_bout_starts_every_clock_anew() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.TAKE)
    play(table, 1, MoveKind.PASS)
    assert running(table) == {0: 24.75}
    play(table, 0, MoveKind.PASS)  # the taker misses his turn: seat 0 leads
    assert running(table) == {0: 30}


def test_the_reserve_is_used_only_when_the_turn_is_over_and_stays_used() -> None:
    table = dealt(TIMED)
    play(table, 1, MoveKind.ATTACK, "8S")
    assert table.match.banks == (BANK, BANK, BANK)
    table.now += timedelta(seconds=40)
    play(table, 2, MoveKind.BEAT, "KS", "8S")  # 45.25 s: 15.25 s of the reserve
    assert table.match.banks == (BANK, BANK, BANK - timedelta(seconds=15.25))
    play(table, 1, MoveKind.PASS)
    play(table, 0, MoveKind.PASS)
    assert table.match.clocks == (
        SeatClock(2, table.now + timedelta(seconds=74.75), timedelta(seconds=44.75)),
    )


def test_each_deal_begins_with_full_reserves() -> None:
    table = playing_table(RuleSet(turn_seconds=1, bank_seconds=9, deals=2))
    while table.match.deal == 1:
        table.now += timedelta(seconds=4)
        table.move_at_random()
    assert table.match.banks == (timedelta(seconds=9),) * 2


def test_a_house_bot_has_no_clock() -> None:
    table = playing_table(RuleSet(seats=4, turn_seconds=5), bots=3)
    for _ in table.moves_until_over():
        assert {clock.seat for clock in table.match.clocks} <= {0}


def test_before_the_deadline_nobodys_turn_is_ended() -> None:
    table = dealt(FREE)
    deadline = table.match.clocks[0].deadline
    assert table.do(EndTurns(deadline - timedelta(microseconds=1))) == ()


def test_the_leaders_turn_ends_with_his_lowest_plain_card() -> None:
    table = dealt(FREE)
    deadline = table.match.clocks[0].deadline
    assert table.do(EndTurns(deadline)) == (
        TimeRanOut(1),
        Led(1, cards("6S")),
        ClocksSet((SeatClock(2, table.now + TURN, timedelta(0)),)),
    )


def test_the_defenders_turn_ends_with_a_take() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    out, take, clocks = table.end_turns(30)
    assert (out, take) == (TimeRanOut(2), TakeDeclared(2))
    assert isinstance(clocks, ClocksSet)
    assert [clock.seat for clock in clocks.clocks] == [0, 1]


def test_attackers_whose_time_is_over_together_pass_together() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    events = table.end_turns(30)
    assert events[:5] == (
        TimeRanOut(0),
        Passed(0),
        TimeRanOut(1),
        Passed(1),
        BoutEnded(BoutOutcome.BEATEN, ()),
    )
    assert running(table) == {2: 30}


def test_who_runs_out_of_time_may_forfeit_the_deal_and_stay_at_the_table() -> None:
    table = dealt(RuleSet(seats=3, turn_seconds=30, on_timeout=OnTimeout.FORFEIT, deals=2))
    events = table.end_turns(30)
    assert events[:-1] == (
        TimeRanOut(1),
        BoutEnded(BoutOutcome.VOID, ()),
        Forfeited(1),
        BoutStarted(2, 0, 6),
    )
    assert running(table) == {2: 30}
    *_, ended, _, bout, _ = table.end_turns(30)
    assert ended == DealEnded((1, 2), ((0,), (2,), (1,)), 0, DealEndReason.FORFEIT)
    assert isinstance(bout, BoutStarted)
    assert (table.match.deal, table.match.status) == (2, MatchStatus.PLAYING)
    assert not table.match.has_leaver


def test_the_match_may_end_by_time() -> None:
    table = playing_table(RuleSet(turn_seconds=30, on_timeout=OnTimeout.FORFEIT))
    *_, finished = table.end_turns(30)
    fool = table.match.last_result
    assert fool
    assert finished == MatchFinished(tuple(int(seat in fool.fools) for seat in range(2)))
    assert table.match.clocks == ()
    assert table.end_turns(30) == ()


def test_all_the_time_since_the_last_event_is_given_back_to_who_is_on_the_clock() -> None:
    table = dealt(TIMED)
    before = table.match.clocks
    table.now += timedelta(seconds=45)
    late = timedelta(seconds=45)
    credited = table.do(CreditClocks(table.now))
    assert credited == (ClockCredited(1, late, CreditReason.RESTART),)
    assert table.match.clocks == (SeatClock(1, before[0].deadline + late, BANK),)
    # The reserve was not touched meanwhile.
    play(table, 1, MoveKind.ATTACK, "8S")
    assert table.match.banks == (BANK, BANK, BANK)


@pytest.mark.parametrize("seconds", [0, -3])
def test_no_time_is_given_back_where_none_was_lost(seconds: int) -> None:
    table = dealt(TIMED)
    assert table.do(CreditClocks(table.match.updated_at + timedelta(seconds=seconds))) == ()


@pytest.mark.parametrize("late", [0, 1])
def test_who_comes_back_late_is_given_his_turn_back_from_its_begin(late: int) -> None:
    table = dealt(TIMED)
    (before,) = table.match.clocks
    now = before.deadline - TURN - BANK + timedelta(seconds=late)
    more = timedelta(seconds=late + 10) if late else timedelta(0)
    credit = (ClockCredited(1, more, CreditReason.RESTART),) if late else ()
    for seat in (0, 2):
        assert table.do(CreditLateReturn(seat, now, timedelta(seconds=10))) == ()
    assert table.do(CreditLateReturn(1, now, timedelta(seconds=10))) == credit
    assert table.match.clocks == (SeatClock(1, before.deadline + more, BANK),)


def test_a_turn_that_is_spared_goes_on() -> None:
    table = dealt(TIMED)
    (clock,) = table.match.clocks
    assert table.do(EndTurns(clock.deadline, frozenset({clock.seat}))) == ()
    assert table.do(EndTurns(clock.deadline, frozenset({0}))) != ()


@settings(max_examples=60)
@given(TIMED_RULE_SETS, strategies.integers(0, 2**32), strategies.integers(0, 2))
def test_a_timed_match_ends_whoever_sleeps(rules: RuleSet, seed: int, bots: int) -> None:
    table = playing_table(rules, seed, bots=min(bots, rules.seats - 1))
    for _ in range(3_000):
        match = table.match
        if match.status is not MatchStatus.PLAYING:
            return
        assert match.position
        asked = [seat for seat in must_act(match.position) if is_human(table, seat)]
        assert [clock.seat for clock in match.clocks] == asked
        if asked and table.random.random() < 0.3:
            events = table.end_turns(rules.turn_seconds + rules.bank_seconds)
            assert any(isinstance(event, TimeRanOut) for event in events)
        else:
            table.now += timedelta(seconds=table.random.random() * rules.turn_seconds)
            table.move_at_random()
    raise AssertionError("the match does not end")


def is_human(table: Tabletop, seat: int) -> bool:
    player = table.match.seats[seat]
    return player is not None and player.kind is PlayerKind.HUMAN


def test_a_move_that_comes_before_the_end_of_the_turn_is_stored_count() -> None:
    table = dealt(FREE)
    deadline = table.match.clocks[0].deadline
    table.now = deadline + timedelta(seconds=1)
    first = table.do(MakeMove("p1", "", Move(MoveKind.ATTACK, mask_of(cards("7D")))))
    assert first[0] == Led(1, cards("7D"))
    assert table.do(EndTurns(deadline)) == ()


def test_covers_and_throws_are_events_of_their_own_between_the_clocks() -> None:
    table = dealt(FREE)
    play(table, 1, MoveKind.ATTACK, "8S")
    play(table, 2, MoveKind.BEAT, "KS", "8S")
    play(table, 0, MoveKind.THROW_IN, "8D")
    kinds = [type(record.event) for record in table.history.records(table.match.sequence - 6)]
    assert kinds == [Led, ClocksSet, Beaten, ClocksSet, ThrownIn, ClocksSet]
