"""A match ends because the operator wants it."""

import pytest

from durak_server.matches import (
    AbandonReason,
    MatchAbandoned,
    MatchReason,
    MatchRefusal,
    MatchStatus,
    SeedRevealed,
    TerminateMatch,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    finished_table,
    open_table,
    playing_table,
)

TWO = RuleSet(seats=2)
TERMINATE = TerminateMatch("the server moves")
TERMINATED = MatchAbandoned(AbandonReason.TERMINATED, "the server moves")


def test_an_open_match_is_ended_at_once() -> None:
    table = open_table(TWO)

    assert table.do(TERMINATE) == (TERMINATED,)
    assert table.match.status is MatchStatus.ABANDONED


def test_a_match_being_played_shows_its_seed_before_it_ends() -> None:
    table = playing_table(TWO, commits=True)
    shuffle = table.match.shuffle
    assert shuffle

    assert table.do(TERMINATE) == (SeedRevealed(1, shuffle.server_seed), TERMINATED)
    assert table.match.status is MatchStatus.ABANDONED


@pytest.mark.parametrize("table", [finished_table(TWO), abandoned_table(TWO)])
def test_a_match_that_is_over_stays_as_it_is(table: Tabletop) -> None:
    assert table.ask(TERMINATE) == MatchRefusal(MatchReason.MATCH_OVER)
