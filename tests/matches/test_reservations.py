"""Seats that are kept for some."""

from random import Random

import pytest

from durak_server.matches import (
    AddBot,
    Admission,
    Command,
    JoinMatch,
    LeaveMatch,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    ReleaseSeats,
    RemovePlayer,
    SeatsReleased,
    Visibility,
    decide,
    password_key,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import INVITE_CODE, Tabletop, create_command, playing_table

FOUR = RuleSet(seats=4)
ANN = Admission(reserved_for=("ann",))
CODE = Admission(reserved_for_code=1)
BOTH = Admission(reserved_for=("ann", "bob"), reserved_for_code=1)


def table_of(
    admission: Admission, *joins: JoinMatch, visibility: Visibility = Visibility.PUBLIC
) -> Tabletop:
    """Return a match of four at which p0 and others sit."""
    table = Tabletop()
    table.do(create_command(FOUR, admission=admission, visibility=visibility))
    for command in joins:
        table.do(command)
    return table


def by_id(player_id: str, seat: int | None = None) -> JoinMatch:
    return JoinMatch(player_id, "", player_id, seat)


def by_code(player_id: str) -> JoinMatch:
    return JoinMatch(player_id, "", player_id, None, INVITE_CODE)


def bot() -> AddBot:
    return AddBot("p0", "", "bot", "Bot")


FULL_FOR_OTHERS = MatchRefusal(MatchReason.MATCH_FULL, (("reserved", "1"),))
NEWCOMERS: list[tuple[Admission, Command, bool]] = [
    # kept, who comes when one seat of four is free, and whether he gets it
    (ANN, by_id("ann"), True),
    (ANN, by_id("ann", 3), True),
    (ANN, by_code("ann"), True),
    (ANN, by_id("cid"), False),
    (ANN, by_id("cid", 3), False),
    (ANN, by_code("cid"), False),
    (ANN, bot(), False),
    (CODE, by_code("cid"), True),
    (CODE, by_id("cid"), False),
    (CODE, bot(), False),
]


@pytest.mark.parametrize(("admission", "command", "is_seated"), NEWCOMERS)
def test_a_kept_seat_is_for_whom_it_is_kept(
    admission: Admission, command: Command, is_seated: bool
) -> None:
    table = table_of(admission, by_id("x"), by_id("y"))
    outcome = decide(table.match, command)
    assert (outcome != FULL_FOR_OTHERS) is is_seated
    assert isinstance(outcome, MatchRefusal) is not is_seated


def test_whoever_comes_along_gets_a_seat_while_others_are_free() -> None:
    table = table_of(ANN, by_id("x"))
    assert summary(table.match).has_free_seat
    assert table.do(by_id("cid"))
    listed = summary(table.match)
    assert (listed.has_free_seat, listed.takes_anybody, listed.reserved_seats) == (False, False, 1)


def test_the_code_opens_other_seats_once_its_own_are_taken() -> None:
    table = table_of(CODE, by_code("ann"), by_code("bob"))
    assert table.do(by_id("cid"))


def test_a_seat_given_up_is_kept_again_for_whom_it_was() -> None:
    for admission, friend in ((ANN, by_id("ann")), (CODE, by_code("ann"))):
        table = table_of(admission, friend, by_id("x"), by_id("y"))
        table.do(LeaveMatch("ann", ""))
        assert decide(table.match, by_id("cid")) == FULL_FOR_OTHERS
        assert table.do(friend)


def test_who_is_named_needs_neither_password_nor_code() -> None:
    admission = Admission(password=password_key("x", b"salt", 4), reserved_for=("ann",))
    for guarded in (table_of(admission), table_of(ANN, visibility=Visibility.UNLISTED)):
        assert isinstance(decide(guarded.match, by_id("cid")), MatchRefusal)
        assert guarded.do(by_id("ann"))


def test_no_seat_is_kept_for_who_was_removed() -> None:
    table = table_of(ANN, by_id("ann"), by_id("x"), by_id("y"))
    table.do(RemovePlayer("p0", "", "ann"))
    assert decide(table.match, by_id("ann")) == MatchRefusal(MatchReason.PLAYER_REMOVED)
    assert table.do(by_id("cid"))


def test_the_owner_lets_everybody_have_them() -> None:
    table = table_of(BOTH, by_id("bob"))
    assert table.do(ReleaseSeats("p0", "")) == (SeatsReleased(2),)
    assert summary(table.match).reserved_seats == 0
    assert table.do(ReleaseSeats("p0", "")) == ()
    table.do(by_id("x"))
    assert table.do(bot())


def test_the_last_friend_starts_a_match_that_starts_when_full() -> None:
    table = Tabletop()
    table.do(create_command(FOUR, admission=ANN, start_when_full=True))
    for command in (by_id("x"), by_id("y")):
        assert MatchStarted() not in table.do(command)
    assert MatchStarted() in table.do(by_id("ann"))


REFUSALS: list[tuple[Tabletop, Command, MatchReason]] = [
    (table_of(ANN), ReleaseSeats("ann", ""), MatchReason.NOT_OWNER),
    (table_of(ANN), ReleaseSeats("p0", "", 77), MatchReason.STALE_SEQUENCE),
    (playing_table(FOUR), ReleaseSeats("p0", ""), MatchReason.MATCH_STARTED),
]


@pytest.mark.parametrize(("table", "command", "reason"), REFUSALS)
def test_a_release_out_of_place_is_refused(
    table: Tabletop, command: Command, reason: MatchReason
) -> None:
    refusal = decide(table.match, command)
    assert isinstance(refusal, MatchRefusal)
    assert refusal.reason is reason


IMPOSSIBLE = [
    Admission(reserved_for=("p0",)),
    Admission(reserved_for=("ann", "ann")),
    Admission(reserved_for=("ann", "bob", "cid", "dan")),
    Admission(reserved_for=("ann", "bob"), reserved_for_code=2),
    Admission(reserved_for_code=4),
]


@pytest.mark.parametrize("admission", IMPOSSIBLE)
def test_what_cannot_be_kept_is_refused(admission: Admission) -> None:
    refusal = decide(None, create_command(FOUR, admission=admission))
    assert isinstance(refusal, MatchRefusal)
    assert [field for field, _ in refusal.facts] == ["reserved_player_ids"]


@pytest.mark.parametrize("seed", range(20))
def test_whoever_comes_and_goes_friends_always_find_their_seats(seed: int) -> None:
    random = Random(seed)
    table = table_of(BOTH)
    for _ in range(60):
        player_id = random.choice(["ann", "bob", "x", "y", "z"])
        if table.match.seat_of(player_id) is None:
            table.ask(random.choice([by_id, by_code])(player_id))
        else:
            table.do(LeaveMatch(player_id, ""))
        for friend in ("ann", "bob"):
            assert not isinstance(decide(table.match, by_id(friend)), MatchRefusal)
