"""When a match that everybody forgot is abandoned."""

from datetime import datetime, timedelta

import pytest

from durak_server.matches import (
    AbandonReason,
    AddBot,
    ExpireMatch,
    LeaveMatch,
    MatchAbandoned,
    MatchStatus,
    SeedRevealed,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    finished_table,
    join_command,
    open_table,
    playing_table,
)

TWO, THREE = RuleSet(seats=2), RuleSet(seats=3)
EXPIRED = MatchAbandoned(AbandonReason.EXPIRED)
INSTANT = timedelta(microseconds=1)


def open_until(moment: datetime) -> ExpireMatch:
    """The command for open matches alone."""
    return ExpireMatch(moment, moment - timedelta(days=9))


def playing_until(moment: datetime) -> ExpireMatch:
    """The command for matches being played alone."""
    return ExpireMatch(moment - timedelta(days=9), moment)


def test_an_open_match_expires_once_the_last_human_act_is_so_long_ago() -> None:
    table = open_table(THREE)
    table.do(join_command(1))
    acted_at = table.match.updated_at
    assert table.do(open_until(acted_at - INSTANT)) == ()
    assert table.do(playing_until(acted_at)) == ()
    assert table.do(open_until(acted_at)) == (EXPIRED,)
    assert table.match.status is MatchStatus.ABANDONED


def test_a_match_being_played_expires_by_its_own_limit_and_shows_its_seed() -> None:
    table = playing_table(TWO, commits=True)
    acted_at, shuffle = table.match.acted_at, table.match.shuffle
    assert shuffle
    assert table.do(open_until(acted_at)) == ()
    assert table.do(playing_until(acted_at - INSTANT)) == ()
    assert table.do(playing_until(acted_at)) == (SeedRevealed(1, shuffle.server_seed), EXPIRED)
    assert table.match.status is MatchStatus.ABANDONED


@pytest.mark.parametrize("over", [finished_table(TWO), abandoned_table(TWO)])
def test_a_match_that_is_over_does_not_expire(over: Tabletop) -> None:
    moment = over.match.updated_at
    assert over.do(ExpireMatch(moment, moment)) == ()


def test_joins_and_departures_and_bots_that_are_added_are_acts_of_humans() -> None:
    table = open_table(RuleSet(seats=4))
    for command in (join_command(1), AddBot("p0", "", "b", "Bot"), LeaveMatch("p1", "")):
        table.do(command)
        assert table.match.acted_at == table.match.updated_at


def test_what_a_bot_does_is_no_act_of_a_human() -> None:
    table = playing_table(TWO, bots=1)
    while table.match.status is MatchStatus.PLAYING:
        acted_at = table.match.acted_at
        seat, move = table.any_move()
        table.move(seat, move)
        assert table.match.acted_at == (acted_at if seat == 1 else table.match.updated_at)


def test_what_a_clock_does_is_no_act_of_a_human() -> None:
    table = playing_table(RuleSet(seats=2, turn_seconds=30, deals=0))
    acted_at = table.match.acted_at
    while table.match.deal < 3:
        table.end_turns(30)
    assert table.match.acted_at == acted_at < table.match.updated_at
    assert table.do(playing_until(acted_at))[-1] == EXPIRED
