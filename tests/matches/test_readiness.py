"""Who is ready for the start, and matches that wait until all are."""

import pytest

from durak_server.matches import (
    AddBot,
    Admission,
    Command,
    LeaveMatch,
    MakeRematch,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    MatchStatus,
    NotePresence,
    Presence,
    ReadyChanged,
    SetReady,
    StartMatch,
    decide,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    create_command,
    finished_table,
    join_command,
    open_table,
    playing_table,
)

THREE = RuleSet(seats=3)
START = StartMatch("p0", "")


def ready(seat: int, is_ready: bool = True) -> SetReady:
    return SetReady(f"p{seat}", "", is_ready)


def waiting_table(*, seated: int, start_when_full: bool = False) -> Tabletop:
    """Return a match of three that wants all to be ready, its first seats taken."""
    table = Tabletop()
    admission = Admission(requires_ready=True)
    table.do(create_command(THREE, admission=admission, start_when_full=start_when_full))
    for seat in range(1, seated):
        table.do(join_command(seat))
    return table


def readiness(table: Tabletop) -> list[bool]:
    return [player is not None and player.is_ready for player in table.match.seats]


def test_who_says_so_is_ready_until_he_says_otherwise_or_leaves() -> None:
    table = open_table(THREE)
    table.do(join_command(1))
    assert table.do(ready(1)) == (ReadyChanged(1, is_ready=True),)
    assert table.do(ready(1)) == ()
    table.do(NotePresence("p1", Presence.AWAY))
    assert readiness(table) == [False, True, False]
    assert table.do(ready(1, is_ready=False)) == (ReadyChanged(1, is_ready=False),)
    table.do(ready(1))
    table.do(LeaveMatch("p1", ""))
    table.do(join_command(1))
    assert readiness(table) == [False, False, False]


def test_a_match_that_wants_it_is_not_started_while_another_human_is_not_ready() -> None:
    table = waiting_table(seated=3)
    assert decide(table.match, START) == MatchRefusal(
        MatchReason.PLAYERS_NOT_READY, (("seats", "1, 2"),)
    )
    table.do(ready(2))
    assert decide(table.match, START) == MatchRefusal(
        MatchReason.PLAYERS_NOT_READY, (("seats", "1"),)
    )
    table.do(ready(1))
    assert table.do(START)[0] == MatchStarted()


def test_bots_are_always_ready() -> None:
    table = waiting_table(seated=1)
    for seat in (1, 2):
        table.do(AddBot("p0", "", f"bot-{seat}", "Bot"))
    assert table.do(START)[0] == MatchStarted()


def test_a_match_that_does_not_want_it_starts_all_the_same() -> None:
    table = open_table(THREE)
    for seat in (1, 2):
        table.do(join_command(seat))
    assert table.do(START)[0] == MatchStarted()


@pytest.mark.parametrize("last", [0, 1, 2])
def test_a_match_that_starts_when_full_starts_with_the_last_who_is_ready(last: int) -> None:
    table = waiting_table(seated=3, start_when_full=True)
    for seat in {0, 1, 2} - {last}:
        assert table.do(ready(seat)) == (ReadyChanged(seat, is_ready=True),)
    assert table.do(ready(last))[:2] == (ReadyChanged(last, is_ready=True), MatchStarted())
    assert table.match.status is MatchStatus.PLAYING


def test_it_waits_for_the_last_seat_though_all_are_ready() -> None:
    table = waiting_table(seated=2, start_when_full=True)
    table.do(ready(0))
    table.do(ready(1))
    assert table.match.status is MatchStatus.OPEN
    assert MatchStarted() in table.do(AddBot("p0", "", "bot", "Bot"))


def test_who_joins_as_the_last_is_asked_too() -> None:
    table = waiting_table(seated=2, start_when_full=True)
    table.do(ready(0))
    table.do(ready(1))
    assert MatchStarted() not in table.do(join_command(2))
    assert MatchStarted() in table.do(ready(2))


REFUSALS: list[tuple[Tabletop, Command, MatchReason]] = [
    (open_table(THREE), ready(9), MatchReason.NOT_SEATED),
    (open_table(THREE), SetReady("p0", "", True, 77), MatchReason.STALE_SEQUENCE),
    (playing_table(THREE), ready(0), MatchReason.MATCH_STARTED),
    (finished_table(THREE), ready(0), MatchReason.MATCH_OVER),
    (abandoned_table(THREE), ready(0), MatchReason.NOT_SEATED),
]


@pytest.mark.parametrize(("table", "command", "reason"), REFUSALS)
def test_a_word_out_of_place_is_refused(
    table: Tabletop, command: Command, reason: MatchReason
) -> None:
    refusal = decide(table.match, command)
    assert isinstance(refusal, MatchRefusal)
    assert refusal.reason is reason


def test_a_match_that_wants_it_does_not_take_anybody() -> None:
    assert not summary(waiting_table(seated=1).match).takes_anybody


def test_nobody_is_ready_in_the_rematch_for_having_been_so_before() -> None:
    table = open_table(RuleSet(seats=2))
    table.do(ready(0))
    again = Tabletop()
    again.do(MakeRematch("next", table.match))
    assert readiness(again) == [False, False]
