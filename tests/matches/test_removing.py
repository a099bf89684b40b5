"""A seat that the owner takes from somebody."""

from collections.abc import Callable

import pytest

from durak_server.matches import (
    AddBot,
    Command,
    JoinMatch,
    LeaveMatch,
    LeaveReason,
    MatchReason,
    MatchRefusal,
    PlayerJoined,
    PlayerLeft,
    RemovePlayer,
    Spectators,
    Visibility,
    decide,
    refuse_watching,
)
from durak_server.rules import RuleSet
from tests.matches.tabletop import (
    INVITE_CODE,
    Tabletop,
    create_command,
    full_table,
    join_command,
    open_table,
    playing_table,
)

THREE = RuleSet(seats=3)
REMOVED = MatchRefusal(MatchReason.PLAYER_REMOVED)


def remove(player_id: str, expected_sequence: int = 0) -> RemovePlayer:
    return RemovePlayer("p0", "remove", player_id, expected_sequence)


def table_without_p1() -> Tabletop:
    """Return a match of three which p0 made and from which he removed p1."""
    table = open_table(THREE, commits=True)
    table.do(join_command(1))
    table.do(remove("p1"))
    return table


def test_the_owner_takes_a_players_seat_before_the_start() -> None:
    table = full_table(THREE)
    assert table.do(remove("p1")) == (PlayerLeft(1, "p1", LeaveReason.REMOVED),)
    assert [player is None for player in table.match.seats] == [False, True, False]
    assert table.match.owner_id == "p0"


def test_a_bot_is_removed_as_a_player_is_and_another_may_come() -> None:
    table = full_table(THREE, bots=2)
    table.do(remove("p2"))
    (joined,) = table.do(AddBot("p0", "", "p2", "House bot"))
    assert isinstance(joined, PlayerJoined)
    assert joined.seat == 2


BACK: list[JoinMatch] = [
    join_command(1),
    JoinMatch("p1", "", "Another name"),
    JoinMatch("p1", "", "Player 1", None, INVITE_CODE),
]


@pytest.mark.parametrize("command", BACK)
def test_who_was_removed_cannot_come_back_by_himself(command: Command) -> None:
    assert decide(table_without_p1().match, command) == REMOVED


def test_his_seat_is_free_for_others_and_his_seed_is_gone() -> None:
    table = open_table(THREE, commits=True)
    table.do(join_command(1))
    table.add_seed(1, b"luck")
    table.do(remove("p1"))
    shuffle = table.match.next_shuffle
    assert shuffle is not None
    assert shuffle.seeds == ()
    (joined,) = table.do(JoinMatch("p2", "", "Player 2"))
    assert isinstance(joined, PlayerJoined)
    assert joined.seat == 1


@pytest.mark.parametrize("visibility", list(Visibility))
def test_who_was_removed_watches_only_where_everybody_may(visibility: Visibility) -> None:
    for spectators, refusal in ((Spectators.LIVE, None), (Spectators.NONE, REMOVED)):
        table = Tabletop()
        table.do(create_command(THREE, visibility=visibility, spectators=spectators))
        table.do(JoinMatch("p1", "", "Player 1", None, INVITE_CODE))
        table.do(remove("p1"))
        assert refuse_watching(table.match, "p1") == refusal


def test_who_left_by_himself_may_come_back() -> None:
    table = open_table(THREE)
    table.do(join_command(1))
    table.do(LeaveMatch("p1", ""))
    assert table.do(join_command(1))


REFUSALS = [
    (open_table, RemovePlayer("p1", "", "p0"), MatchReason.NOT_OWNER),
    (open_table, remove("p0"), MatchReason.INVALID_FIELD),
    (open_table, remove("p9"), MatchReason.PLAYER_NOT_SEATED),
    (full_table, remove("p1", expected_sequence=77), MatchReason.STALE_SEQUENCE),
    (playing_table, remove("p1"), MatchReason.MATCH_STARTED),
]


@pytest.mark.parametrize(("table", "command", "reason"), REFUSALS)
def test_a_removal_out_of_place_is_refused(
    table: Callable[[RuleSet], Tabletop], command: Command, reason: MatchReason
) -> None:
    refusal = decide(table(THREE).match, command)
    assert isinstance(refusal, MatchRefusal)
    assert refusal.reason is reason
