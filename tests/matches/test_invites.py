"""Invite codes that are taken for a time, and others in their place."""

from datetime import timedelta

import pytest

from durak_server.matches import (
    Admission,
    Command,
    InviteRenewed,
    JoinMatch,
    MakeRematch,
    MatchReason,
    MatchRefusal,
    RemovePlayer,
    RenewInvite,
    SeenInviteRenewed,
    Visibility,
    decide,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    INVITE_CODE,
    Tabletop,
    abandoned_table,
    create_command,
    join_command,
    playing_table,
)

THREE = RuleSet(seats=3)
HOUR = timedelta(hours=1)
NEW_CODE = "NEWCODE77"


def hour_table(visibility: Visibility = Visibility.PUBLIC) -> Tabletop:
    """Return an open match of three whose code is taken for an hour."""
    table = Tabletop()
    admission = Admission(invite_lifetime=HOUR)
    table.do(create_command(THREE, visibility=visibility, admission=admission))
    return table


def with_code(table: Tabletop, code: str, after: timedelta, player_id: str = "p1") -> JoinMatch:
    """Return a player's wish to join by a code, so long after the match was made."""
    at = table.match.created_at + after
    return JoinMatch(player_id, "", "Player", None, code, at=at)


def renew(lifetime: timedelta | None = HOUR, expected_sequence: int = 0) -> RenewInvite:
    return RenewInvite("p0", "renew", NEW_CODE, lifetime, expected_sequence)


MOMENT = timedelta(microseconds=1)
ASKED = [
    (INVITE_CODE, timedelta(0), None),
    (INVITE_CODE.lower(), HOUR - MOMENT, None),
    (INVITE_CODE, HOUR, MatchReason.INVITE_EXPIRED),
    (INVITE_CODE.lower(), HOUR, MatchReason.INVITE_EXPIRED),
    ("WRONG", timedelta(0), MatchReason.MATCH_NOT_FOUND),
    ("WRONG", HOUR, MatchReason.MATCH_NOT_FOUND),
]


@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize(("code", "after", "reason"), ASKED)
def test_a_code_is_taken_until_it_expires_and_only_who_has_it_is_told_so(
    code: str, after: timedelta, reason: MatchReason | None, visibility: Visibility
) -> None:
    table = hour_table(visibility)
    outcome = decide(table.match, with_code(table, code, after))
    assert (outcome.reason if isinstance(outcome, MatchRefusal) else None) == reason


def test_a_code_that_expires_is_not_taken_by_who_says_no_time() -> None:
    command = JoinMatch("p1", "", "Player", None, INVITE_CODE)
    assert decide(hour_table().match, command) == MatchRefusal(MatchReason.INVITE_EXPIRED)


def test_a_code_without_an_end_is_always_taken() -> None:
    table = Tabletop()
    table.do(create_command(THREE))
    assert table.match.invite_expires_at is None
    assert table.do(with_code(table, INVITE_CODE, timedelta(days=9_999)))


def test_another_code_takes_the_place_of_the_last_and_has_its_own_time() -> None:
    table = hour_table()
    table.now += 2 * HOUR
    assert table.do(renew()) == (InviteRenewed(NEW_CODE, HOUR),)
    assert table.match.invite_expires_at == table.now + HOUR
    assert summary(table.match).invite_code == NEW_CODE
    for code, after, reason in (
        (INVITE_CODE, timedelta(0), MatchReason.MATCH_NOT_FOUND),
        (NEW_CODE, 4 * HOUR, MatchReason.INVITE_EXPIRED),
    ):
        assert decide(table.match, with_code(table, code, after)) == MatchRefusal(reason)
    assert table.do(with_code(table, NEW_CODE, 2.5 * HOUR))


def test_nobody_sees_the_code_in_the_log() -> None:
    table = hour_table()
    table.do(renew())
    for seat in (None, 0, 1):
        seen = table.history.seen(table.history.sequence - 1, seat)
        assert [record.event for record in seen] == [SeenInviteRenewed()]


def test_who_was_removed_comes_back_with_a_newer_code_alone() -> None:
    table = hour_table()
    table.do(join_command(1))
    table.do(RemovePlayer("p0", "", "p1"))
    removed = MatchRefusal(MatchReason.PLAYER_REMOVED)
    assert decide(table.match, with_code(table, INVITE_CODE, timedelta(0))) == removed
    table.do(renew())
    assert decide(table.match, join_command(1)) == removed
    assert table.do(with_code(table, NEW_CODE, timedelta(0)))
    assert table.match.removed == table.match.shut_out == frozenset()


def test_who_was_removed_after_the_code_was_made_is_shut_out_again() -> None:
    table = hour_table()
    table.do(renew())
    table.do(join_command(1))
    table.do(RemovePlayer("p0", "", "p1"))
    refusal = decide(table.match, with_code(table, NEW_CODE, timedelta(0)))
    assert refusal == MatchRefusal(MatchReason.PLAYER_REMOVED)


REFUSALS: list[tuple[Tabletop, Command, MatchReason]] = [
    (hour_table(), RenewInvite("p1", "", NEW_CODE), MatchReason.NOT_OWNER),
    (hour_table(), renew(expected_sequence=77), MatchReason.STALE_SEQUENCE),
    (playing_table(THREE), renew(), MatchReason.MATCH_STARTED),
    (abandoned_table(THREE), renew(), MatchReason.MATCH_OVER),
]


@pytest.mark.parametrize(("table", "command", "reason"), REFUSALS)
def test_a_renewal_out_of_place_is_refused(
    table: Tabletop, command: Command, reason: MatchReason
) -> None:
    refusal = decide(table.match, command)
    assert isinstance(refusal, MatchRefusal)
    assert refusal.reason is reason


def test_the_code_of_a_rematch_has_as_long_a_life_from_its_making() -> None:
    previous = hour_table()
    again = Tabletop(now=previous.now + 5 * HOUR)
    again.do(MakeRematch("next", previous.match))
    assert again.match.invite_code == INVITE_CODE
    assert again.match.invite_expires_at == again.match.created_at + HOUR
