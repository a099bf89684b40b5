"""What a match notes of who is connected."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from durak_server.matches import LeaveMatch, NotePresence, Presence, PresenceChanged, summary
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    finished_table,
    full_table,
    open_table,
    playing_table,
)

THREE = RuleSet(seats=3)
AWAY = PresenceChanged(0, Presence.AWAY)
BACK = PresenceChanged(0, Presence.CONNECTED)


@pytest.mark.parametrize("make", [open_table, full_table, playing_table])
def test_who_goes_away_and_comes_back_is_marked_and_it_is_noted_once(
    make: Callable[[RuleSet], Tabletop],
) -> None:
    table = make(THREE)
    seats = table.match.seats
    assert table.do(NotePresence("p0", Presence.CONNECTED)) == ()
    assert table.do(NotePresence("p0", Presence.AWAY)) == (AWAY,)
    assert table.do(NotePresence("p0", Presence.AWAY)) == ()
    player = summary(table.match).seats[0]
    assert player
    assert player.presence is Presence.AWAY
    assert table.do(NotePresence("p0", Presence.CONNECTED)) == (BACK,)
    assert table.match.seats == seats


def test_nothing_is_noted_of_leavers_bots_strangers_or_of_a_match_that_is_over() -> None:
    table = playing_table(THREE, bots=1)
    table.do(LeaveMatch("p1", ""))
    for player_id in ("p1", "p2", "stranger"):
        assert table.do(NotePresence(player_id, Presence.AWAY)) == ()
    assert finished_table(THREE).do(NotePresence("p0", Presence.AWAY)) == ()
    assert abandoned_table(THREE).do(NotePresence("p0", Presence.AWAY)) == ()


def test_clocks_run_on_for_who_is_away() -> None:
    table = playing_table(RuleSet(seats=2, turn_seconds=30))
    clocks = table.match.clocks
    table.now += timedelta(seconds=10)
    leader = clocks[0].seat
    assert table.do(NotePresence(f"p{leader}", Presence.AWAY)) == (
        PresenceChanged(leader, Presence.AWAY),
    )
    assert table.match.clocks == clocks
