"""A password that those who join by the id have to give."""

import pytest

from durak_server.matches import (
    ANYBODY,
    Admission,
    JoinMatch,
    MakeRematch,
    MatchReason,
    MatchRefusal,
    Spectators,
    Visibility,
    decide,
    password_key,
    refuse_watching,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import INVITE_CODE, Tabletop, create_command, join_command

TWO = RuleSet(seats=2)
CHEAP = 4
RIGHT = password_key("кладезь", b"salt", CHEAP)
WRONG = password_key("Кладезь", b"salt", CHEAP)


def guarded_table(start_when_full: bool = False) -> Tabletop:
    """Return an open match of two with a password."""
    table = Tabletop()
    command = create_command(
        TWO, admission=Admission(password=RIGHT), start_when_full=start_when_full
    )
    table.do(command)
    return table


def test_a_key_is_the_scrypt_of_the_password_and_the_salt() -> None:
    # As `openssl kdf -keylen 32 -kdfopt pass:password -kdfopt salt:NaCl -kdfopt n:1024
    # -kdfopt r:8 -kdfopt p:1 SCRYPT` says.
    assert password_key("password", b"NaCl", 10).key.hex() == (
        "27b418c674c769d12501fbb1f53bac32df6514c0f28d043872b148b348961a79"
    )
    assert password_key("кладезь", b"salt", CHEAP) == RIGHT
    assert password_key("кладезь", b"other", CHEAP).key != RIGHT.key


JOINS = [
    (JoinMatch("p1", "", "P"), False),
    (JoinMatch("p1", "", "P", password_key=WRONG.key), False),
    (JoinMatch("p1", "", "P", password_key=RIGHT.key[:-1]), False),
    (JoinMatch("p1", "", "P", password_key=RIGHT.key), True),
    (JoinMatch("p1", "", "P", invite_code=INVITE_CODE), True),
    (JoinMatch("p0", "", "P"), True),
]


@pytest.mark.parametrize(("command", "is_welcome"), JOINS)
def test_who_joins_by_the_id_has_to_give_it(command: JoinMatch, is_welcome: bool) -> None:
    refusal = MatchRefusal(MatchReason.PASSWORD_WRONG)
    assert (decide(guarded_table().match, command) == refusal) is not is_welcome


def test_a_wrong_code_with_the_right_password_finds_nothing() -> None:
    command = JoinMatch("p1", "", "P", invite_code="WRONG", password_key=RIGHT.key)
    assert decide(guarded_table().match, command) == MatchRefusal(MatchReason.MATCH_NOT_FOUND)


def test_whoever_may_watch_needs_no_password() -> None:
    match = guarded_table().match
    assert match.spectators is Spectators.LIVE
    assert refuse_watching(match, "p9") is None


def test_a_match_with_a_password_does_not_take_anybody() -> None:
    listed = summary(guarded_table().match)
    assert (listed.has_free_seat, listed.takes_anybody) == (True, False)


def test_only_a_public_match_has_one() -> None:
    command = create_command(
        TWO, visibility=Visibility.UNLISTED, admission=Admission(password=RIGHT)
    )
    refusal = decide(None, command)
    assert isinstance(refusal, MatchRefusal)
    assert [field for field, _ in refusal.facts] == ["password"]


def test_the_rematch_asks_for_the_same_password() -> None:
    table = guarded_table()
    again = Tabletop()
    again.do(MakeRematch("next", table.match))
    refusal = decide(again.match, join_command(1))
    assert refusal == MatchRefusal(MatchReason.PASSWORD_WRONG)


def test_nothing_that_a_viewer_gets_depends_on_it() -> None:
    with_password, without = guarded_table(), Tabletop()
    without.do(create_command(TWO, admission=ANYBODY))
    for seat in (None, 0):
        assert with_password.history.seen(0, seat) == without.history.seen(0, seat)
