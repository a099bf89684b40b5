"""How late those who only watch see a match."""

from datetime import timedelta

import pytest

from durak_server.matches import (
    NO_DELAY,
    LeaveMatch,
    NotePresence,
    Presence,
    Spectators,
    as_listed,
    delay_for,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import Tabletop, create_command, join_command

MINUTE = timedelta(minutes=1)


def table_with(spectators: Spectators) -> Tabletop:
    """Return a match that p0 made and p1 joined; p2 is expected."""
    delay = MINUTE if spectators is Spectators.DELAYED else NO_DELAY
    table = Tabletop()
    table.do(
        create_command(
            RuleSet(seats=3, deals=2),
            spectators=spectators,
            spectator_delay=delay,
            start_when_full=True,
        )
    )
    table.do(join_command(1))
    return table


DELAYS = [
    (Spectators.DELAYED, "stranger", MINUTE),
    (Spectators.DELAYED, "p1", NO_DELAY),
    (Spectators.LIVE, "stranger", NO_DELAY),
]


@pytest.mark.parametrize(("spectators", "player_id", "delay"), DELAYS)
def test_only_those_without_a_seat_see_it_late(
    spectators: Spectators, player_id: str, delay: timedelta
) -> None:
    assert delay_for(table_with(spectators).match, player_id) == delay


def test_a_seat_taken_or_given_up_changes_how_one_sees() -> None:
    table = table_with(Spectators.DELAYED)
    assert delay_for(table.match, "p2") == MINUTE
    table.do(LeaveMatch("p1", ""))
    assert delay_for(table.match, "p1") == MINUTE
    for seat in (1, 2):
        table.do(join_command(seat))
    table.do(LeaveMatch("p1", ""))  # while they play: the seat stays his
    assert delay_for(table.match, "p1") == NO_DELAY


def test_the_past_reaches_to_the_last_event_of_a_moment() -> None:
    table = table_with(Spectators.DELAYED)
    records = table.history.records(0)
    assert table.history.sequence_at(records[0].recorded_at - timedelta(microseconds=1)) == 0
    for record in records:
        at = table.history.sequence_at(record.recorded_at)
        assert records[at - 1].recorded_at == record.recorded_at
        assert [
            late.sequence for late in records[at:] if late.recorded_at <= record.recorded_at
        ] == []
    assert table.history.sequence_at(table.now + MINUTE) == table.history.sequence


def test_a_list_tells_a_late_spectator_nothing_of_the_play() -> None:
    table = table_with(Spectators.DELAYED)
    before = summary(table.match)
    assert as_listed(before, "stranger") == before
    table.do(join_command(2))
    started = as_listed(summary(table.match), "stranger")
    for _ in range(40):
        table.move_at_random()
    table.do(NotePresence("p1", Presence.AWAY))
    table.do(LeaveMatch("p0", ""))
    now = summary(table.match)
    assert now.owner_id == "p1"
    assert as_listed(now, "stranger") == started
    assert (started.sequence, started.deal, started.updated_at) == (0, 0, now.created_at)
    assert as_listed(now, "p2") == now
    assert as_listed(now, "p0") == now


def test_a_list_tells_a_live_spectator_everything() -> None:
    table = table_with(Spectators.LIVE)
    table.do(join_command(2))
    now = summary(table.match)
    assert as_listed(now, "stranger") == now
