"""When a match that clocks and bots alone play on is abandoned."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from durak_server.matches import (
    AbandonReason,
    CreditClocks,
    EndTurns,
    History,
    LeaveMatch,
    MatchAbandoned,
    MatchEvent,
    MatchStatus,
    NotePresence,
    Presence,
    Say,
    SeedRevealed,
    Speech,
    TimeRanOut,
)
from durak_server.rules import DealEnded, Leave, OnTimeout, RuleSet
from tests.matches.tabletop import Tabletop, playing_table

MOST = 9
FOR_EVER = RuleSet(seats=4, deals=0, turn_seconds=1, leave=Leave.BOT)
TWO = replace(FOR_EVER, seats=2)
EXPIRED = MatchAbandoned(AbandonReason.EXPIRED)


def on_its_own(table: Tabletop, most: int = MOST) -> tuple[MatchEvent, ...]:
    """Let the house move if it can, else time run out; return what happened."""
    position = table.match.position
    assert position
    for _ in range(50):
        seat, move = table.any_move()
        if table.match.bot_at(seat) is not None:
            return table.move(seat, move)
    table.now += timedelta(seconds=1)
    return table.do(EndTurns(table.now, most_in_a_row=most))


def until_over(table: Tabletop, most: int = MOST) -> list[MatchEvent]:
    """Let nobody act until the match is over; return all that happened."""
    events: list[MatchEvent] = []
    while table.match.status is MatchStatus.PLAYING:
        events += on_its_own(table, most)
        assert len(events) < 20_000, "it does not end"
    return events


def turns_after_first_deal(events: Sequence[MatchEvent]) -> int:
    """Return how many turns ran out since the first deal ended, in which everybody was there."""
    first = next(at for at, event in enumerate(events) if isinstance(event, DealEnded))
    return sum(isinstance(event, TimeRanOut) for event in events[first:])


def ran_out(table: Tabletop, times: int) -> None:
    """Let so many turns run out, one after another."""
    before = table.match.timeouts_in_a_row
    while table.match.timeouts_in_a_row < before + times:
        on_its_own(table)


@pytest.mark.parametrize("on_timeout", OnTimeout)
@pytest.mark.parametrize("humans", [1, 2, 3, 4])
def test_a_match_in_which_every_human_is_away_ends_after_so_many_turns(
    humans: int, on_timeout: OnTimeout
) -> None:
    table = playing_table(replace(FOR_EVER, on_timeout=on_timeout), bots=4 - humans)
    events = until_over(table)
    assert events[-1] == EXPIRED
    # Several attackers may run out of time together. Where that costs the deal, ten are enough.
    in_a_row = turns_after_first_deal(events)
    assert MOST <= in_a_row < MOST + humans or (
        on_timeout is OnTimeout.FORFEIT and table.match.deals_in_a_row == 10
    )
    assert table.match.status is MatchStatus.ABANDONED
    assert table.match.clocks == ()


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_who_has_played_gets_his_result_whatever_the_others_let_run_out(seats: int) -> None:
    table = playing_table(replace(FOR_EVER, seats=seats, deals=1))
    while table.match.status is MatchStatus.PLAYING:
        moves = (table.any_move() for _ in range(50))
        mine = next((move for seat, move in moves if seat == 0), None)
        if mine is None:
            on_its_own(table, most=6)
        else:
            table.move(0, mine)
    assert table.match.status is MatchStatus.FINISHED


def test_the_turns_of_who_stays_count_where_the_house_plays_on_for_who_left() -> None:
    table = playing_table(FOR_EVER, bots=1)
    for player_id in ("p1", "p2"):
        table.do(LeaveMatch(player_id, ""))
    assert until_over(table)[-1] == EXPIRED


def test_where_a_turn_costs_the_deal_and_bots_play_on_ten_deals_are_enough() -> None:
    table = playing_table(replace(FOR_EVER, on_timeout=OnTimeout.FORFEIT), bots=3)
    assert until_over(table, most=50)[-1] == EXPIRED
    # The turn that shows that nobody came to the eleventh deal either is the last.
    assert (table.match.deals_in_a_row, table.match.deal) == (10, 11)


def test_the_seed_of_the_deal_is_shown() -> None:
    table = playing_table(TWO, commits=True)
    *_, shown, expired = until_over(table)
    assert (type(shown), expired) == (SeedRevealed, EXPIRED)


def speak(table: Tabletop) -> None:
    table.do(Say("p0", "", Speech(text="I think"), table.now))


def move_of_p0(table: Tabletop) -> None:
    while True:
        seat, move = table.any_move()
        if seat == 0:
            table.move(seat, move)
            return
        on_its_own(table)


def leave(table: Tabletop) -> None:
    table.do(LeaveMatch("p1", ""))


def add_seed(table: Tabletop) -> None:
    table.add_seed(0, b"mine")


@pytest.mark.parametrize("act", [speak, move_of_p0, leave, add_seed])
def test_whatever_a_human_does_begins_the_count_anew(act: Callable[[Tabletop], None]) -> None:
    table = playing_table(FOR_EVER, bots=2, commits=True)
    ran_out(table, 5)
    act(table)
    assert table.match.timeouts_in_a_row == 0


def test_a_match_in_which_one_human_acts_now_and_then_goes_on() -> None:
    table = playing_table(FOR_EVER, bots=1)
    for _ in range(5):
        ran_out(table, MOST - 3)
        speak(table)
    assert table.match.status is MatchStatus.PLAYING


def test_what_nobody_does_leaves_the_count_as_it_is() -> None:
    table = playing_table(TWO)
    ran_out(table, 5)
    for command in (
        NotePresence("p0", Presence.AWAY),
        NotePresence("p0", Presence.CONNECTED),
        CreditClocks(table.now + timedelta(hours=1)),
        EndTurns(table.now),
    ):
        table.do(command)
        assert table.match.timeouts_in_a_row == 5


def test_a_match_that_ends_with_the_last_of_the_turns_is_finished() -> None:
    table = playing_table(replace(TWO, deals=1, on_timeout=OnTimeout.FORFEIT))
    table.now += timedelta(seconds=1)
    table.do(EndTurns(table.now, most_in_a_row=1))
    assert table.match.status is MatchStatus.FINISHED


def test_the_count_is_in_the_log() -> None:
    table = playing_table(FOR_EVER, bots=3)
    ran_out(table, 5)
    match = History(table.history.records(0)).match
    assert match
    assert match.timeouts_in_a_row == 5
