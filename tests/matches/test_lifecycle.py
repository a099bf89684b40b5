"""From the first seat to the last deal."""

import pytest

from durak_server.matches import (
    AddBot,
    BotLevel,
    JoinMatch,
    LeaveMatch,
    MatchAbandoned,
    MatchCreated,
    MatchFinished,
    MatchStarted,
    MatchStatus,
    OwnerChanged,
    Player,
    PlayerJoined,
    PlayerKind,
    PlayerLeft,
    Spectators,
    StartMatch,
    Visibility,
)
from durak_server.rules import BoutStarted, DealEnded, DealStarted, Preset, RuleSet
from tests.matches.tabletop import (
    INVITE_CODE,
    MATCH_ID,
    Tabletop,
    create_command,
    finished_table,
    full_table,
    join_command,
    open_table,
    playing_table,
)

TWO = RuleSet(seats=2)
THREE = RuleSet(seats=3)


def human(seat: int) -> Player:
    return Player(f"p{seat}", f"Player {seat}")


def test_who_makes_a_match_sits_on_its_first_seat() -> None:
    table = Tabletop()
    assert table.do(create_command(THREE, visibility=Visibility.UNLISTED)) == (
        MatchCreated(
            MATCH_ID,
            Preset.PODKIDNOY,
            THREE,
            "p0",
            Visibility.UNLISTED,
            Spectators.LIVE,
            INVITE_CODE,
            start_when_full=False,
        ),
        PlayerJoined(0, human(0)),
    )
    assert table.match.status is MatchStatus.OPEN
    assert table.match.seats == (human(0), None, None)
    assert table.match.times_fool == (0, 0, 0)


def test_a_seat_is_taken_by_wish_or_else_the_first_free_one() -> None:
    table = open_table(THREE)
    assert table.do(JoinMatch("p2", "", "Player 2", 2)) == (PlayerJoined(2, human(2)),)
    assert table.do(JoinMatch("p1", "", "Player 1")) == (PlayerJoined(1, human(1)),)
    assert table.match.seats == (human(0), human(1), human(2))


@pytest.mark.parametrize("code", [INVITE_CODE, INVITE_CODE.lower()])
@pytest.mark.parametrize("visibility", list(Visibility))
def test_an_invite_code_opens_any_match_in_upper_and_lower_case(
    code: str, visibility: Visibility
) -> None:
    table = Tabletop()
    table.do(create_command(TWO, visibility=visibility))
    joined = table.do(JoinMatch("p1", "", "Player 1", None, code))
    assert joined == (PlayerJoined(1, human(1)),)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_joining_twice_changes_nothing_and_seats_nobody_twice(seat: int | None) -> None:
    table = open_table(THREE)
    assert table.do(JoinMatch("p0", "", "Another name", seat)) == ()
    assert table.match.seats == (human(0), None, None)


def test_a_member_joins_again_during_the_play_without_effect() -> None:
    table = playing_table(TWO)
    assert table.do(join_command(1)) == ()


def test_a_bot_sits_with_its_level() -> None:
    table = open_table(TWO)
    bot = Player("bot-7", "Ivan", PlayerKind.BOT, BotLevel.RANDOM)
    assert table.do(AddBot("p0", "", "bot-7", "Ivan", BotLevel.RANDOM)) == (PlayerJoined(1, bot),)
    assert table.match.seats == (human(0), bot)


def test_the_owner_starts_a_full_match_and_cards_are_dealt() -> None:
    started, dealt, bout = full_table(TWO).do(StartMatch("p0", ""))
    assert started == MatchStarted()
    assert isinstance(dealt, DealStarted)
    assert isinstance(bout, BoutStarted)
    assert (dealt.dealer, bout.leader) == (0, dealt.leader)


@pytest.mark.parametrize(
    "command", [join_command(1), AddBot("p0", "", "bot", "Bot")], ids=["join", "bot"]
)
def test_a_match_that_starts_when_full_starts_with_the_last_seat(
    command: JoinMatch | AddBot,
) -> None:
    table = Tabletop()
    table.do(create_command(TWO, start_when_full=True))
    joined, started, dealt, _ = table.do(command)
    assert isinstance(joined, PlayerJoined)
    assert started == MatchStarted()
    assert isinstance(dealt, DealStarted)
    assert table.match.status is MatchStatus.PLAYING


def test_a_match_that_starts_when_full_waits_for_the_last_seat() -> None:
    table = Tabletop()
    table.do(create_command(THREE, start_when_full=True))
    assert table.do(join_command(1)) == (PlayerJoined(1, human(1)),)
    assert table.match.status is MatchStatus.OPEN


def test_a_match_of_one_deal_is_finished_with_it() -> None:
    table = playing_table(TWO, seed=1)
    *_, last_move = table.moves_until_over()
    ended, finished = last_move[-2:]
    assert isinstance(ended, DealEnded)
    assert finished == MatchFinished(tuple(int(seat in ended.fools) for seat in range(2)))
    assert table.match.status is MatchStatus.FINISHED
    assert table.match.last_result == ended


def test_leaving_before_the_start_frees_the_seat() -> None:
    table = full_table(TWO)
    assert table.do(LeaveMatch("p1", "")) == (PlayerLeft(1, "p1"),)
    assert table.match.seats == (human(0), None)
    assert table.do(join_command(1)) == (PlayerJoined(1, human(1)),)


@pytest.mark.parametrize(
    ("owner", "heir"),
    # The next human clockwise, bots passed over.
    [(0, "p2"), (2, "p0")],
)
def test_the_next_human_clockwise_inherits_an_open_match(owner: int, heir: str) -> None:
    table = open_table(RuleSet(seats=4))
    table.do(AddBot("p0", "", "bot", "Bot", seat=1))
    table.do(join_command(2))
    if owner == 2:
        table.do(LeaveMatch("p0", ""))
        table.do(join_command(0))
    events = table.do(LeaveMatch(f"p{owner}", ""))
    assert events == (PlayerLeft(owner, f"p{owner}"), OwnerChanged(heir))
    assert table.match.owner_id == heir


def test_a_match_without_humans_is_abandoned() -> None:
    table = open_table(THREE)
    table.do(AddBot("p0", "", "bot", "Bot"))
    assert table.do(LeaveMatch("p0", "")) == (PlayerLeft(0, "p0"), MatchAbandoned())
    assert table.match.status is MatchStatus.ABANDONED


def test_a_finished_match_keeps_its_seats_and_score() -> None:
    match = finished_table(RuleSet(seats=3, deals=3), seed=5).match
    assert match.deal == match.deals_played == 3
    assert match.seats == (human(0), human(1), human(2))
    assert sum(match.times_fool) <= 3
