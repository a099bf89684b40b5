"""Every command in every state of a match in which it is refused."""

from collections.abc import Callable

import pytest

from durak_server import rules
from durak_server.matches import (
    AddBot,
    Command,
    DealCards,
    JoinMatch,
    LeaveMatch,
    MakeMove,
    MatchReason,
    MatchRefusal,
    MatchStarted,
    Record,
    Spectators,
    StartMatch,
    Visibility,
    apply,
    decide,
    refuse_watching,
)
from durak_server.rules import Move, MoveKind, RuleSet, deck_cards
from tests.matches.tabletop import (
    INVITE_CODE,
    NOON,
    Tabletop,
    abandoned_table,
    create_command,
    finished_table,
    full_table,
    join_command,
    open_table,
    playing_table,
)

TWO = RuleSet(seats=2)
THREE = RuleSet(seats=3)
PASS = Move(MoveKind.PASS)
STALE = 77


def left_table() -> Tabletop:
    """p1 of three left during the play."""
    table = playing_table(THREE)
    table.do(LeaveMatch("p1", "leave"))
    return table


def unlisted_table() -> Tabletop:
    table = Tabletop()
    table.do(create_command(TWO, visibility=Visibility.UNLISTED))
    return table


TABLES: dict[str, Callable[[], Tabletop]] = {
    "none": Tabletop,
    "open": lambda: open_table(THREE),
    "unlisted": unlisted_table,
    "full": lambda: full_table(TWO),
    "playing": lambda: playing_table(TWO),
    "left": left_table,
    "finished": lambda: finished_table(TWO),
    "abandoned": lambda: abandoned_table(TWO),
}

CREATE = create_command(TWO)
JOIN_0 = join_command(0)
JOIN_1 = join_command(1)
JOIN_9 = join_command(9)
START = StartMatch("p0", "")
LEAVE = LeaveMatch("p0", "")
MOVE = MakeMove("p0", "", PASS)
BOT = AddBot("p0", "", "bot", "Bot")
STRANGER = "p9"


def bad_seat(last: int) -> tuple[tuple[str, str], ...]:
    return (("seat", f"must be 0 to {last}"),)


def stale(sequence: int) -> tuple[tuple[str, str], ...]:
    return (("sequence", str(sequence)), ("expected", str(STALE)))


R = MatchReason
REFUSALS: list[tuple[str, Command, MatchReason, tuple[tuple[str, str], ...]]] = [
    # table, command, reason, facts
    ("none", JOIN_1, R.MATCH_NOT_FOUND, ()),
    ("none", BOT, R.MATCH_NOT_FOUND, ()),
    ("none", START, R.MATCH_NOT_FOUND, ()),
    ("none", LEAVE, R.MATCH_NOT_FOUND, ()),
    ("none", MOVE, R.MATCH_NOT_FOUND, ()),
    ("none", DealCards(deck_cards(36)), R.MATCH_NOT_FOUND, ()),
    ("open", CREATE, R.MATCH_EXISTS, ()),
    ("playing", CREATE, R.MATCH_EXISTS, ()),
    ("finished", CREATE, R.MATCH_EXISTS, ()),
    ("abandoned", CREATE, R.MATCH_EXISTS, ()),
    # Joining.
    ("open", JoinMatch("p1", "", "P", 0), R.SEAT_TAKEN, (("seat", "0"),)),
    ("open", JoinMatch("p1", "", "P", 3), R.INVALID_FIELD, bad_seat(2)),
    ("open", JoinMatch("p1", "", "P", -1), R.INVALID_FIELD, bad_seat(2)),
    ("open", JoinMatch("p1", "", "P", None, "WRONG"), R.MATCH_NOT_FOUND, ()),
    ("unlisted", JoinMatch("p1", "", "P"), R.MATCH_NOT_FOUND, ()),
    ("unlisted", JoinMatch("p1", "", "P", 1, "WRONG"), R.MATCH_NOT_FOUND, ()),
    ("full", JOIN_9, R.MATCH_FULL, ()),
    ("full", JoinMatch(STRANGER, "", "P", 0), R.MATCH_FULL, ()),
    ("playing", JOIN_9, R.MATCH_STARTED, ()),
    ("left", JOIN_9, R.MATCH_STARTED, ()),
    ("left", JOIN_1, R.PLAYER_LEFT, ()),
    ("finished", JOIN_0, R.MATCH_OVER, ()),
    ("finished", JOIN_9, R.MATCH_OVER, ()),
    ("abandoned", JOIN_0, R.MATCH_OVER, ()),
    # Seating a bot.
    ("open", AddBot("p1", "", "bot", "B"), R.NOT_OWNER, ()),
    ("open", AddBot("p0", "", "bot", "B", seat=0), R.SEAT_TAKEN, (("seat", "0"),)),
    ("open", AddBot("p0", "", "bot", "B", seat=3), R.INVALID_FIELD, bad_seat(2)),
    ("open", AddBot("p0", "", "bot", "B", expected_sequence=STALE), R.STALE_SEQUENCE, stale(2)),
    ("full", BOT, R.MATCH_FULL, ()),
    ("full", AddBot("p1", "", "bot", "B"), R.NOT_OWNER, ()),
    ("playing", BOT, R.MATCH_STARTED, ()),
    ("finished", BOT, R.MATCH_OVER, ()),
    ("abandoned", BOT, R.MATCH_OVER, ()),
    # Starting.
    ("open", START, R.SEATS_FREE, (("free", "1, 2"),)),
    ("open", StartMatch("p1", ""), R.NOT_OWNER, ()),
    ("full", StartMatch("p1", ""), R.NOT_OWNER, ()),
    ("full", StartMatch("p0", "", STALE), R.STALE_SEQUENCE, stale(3)),
    ("playing", START, R.MATCH_STARTED, ()),
    ("playing", StartMatch("p1", ""), R.NOT_OWNER, ()),
    ("finished", START, R.MATCH_OVER, ()),
    ("abandoned", START, R.MATCH_OVER, ()),
    # Leaving.
    ("open", LeaveMatch(STRANGER, ""), R.NOT_SEATED, ()),
    ("open", LeaveMatch("p0", "", STALE), R.STALE_SEQUENCE, stale(2)),
    ("playing", LeaveMatch(STRANGER, ""), R.NOT_SEATED, ()),
    ("left", LeaveMatch("p1", ""), R.NOT_SEATED, ()),
    ("finished", LeaveMatch(STRANGER, ""), R.NOT_SEATED, ()),
    ("finished", LEAVE, R.MATCH_OVER, ()),
    ("abandoned", LEAVE, R.NOT_SEATED, ()),
    # Moving.
    ("open", MOVE, R.MATCH_NOT_STARTED, ()),
    ("full", MakeMove("p0", "", PASS, STALE), R.MATCH_NOT_STARTED, ()),
    ("open", MakeMove(STRANGER, "", PASS), R.NOT_SEATED, ()),
    ("playing", MakeMove(STRANGER, "", PASS), R.NOT_SEATED, ()),
    ("playing", MakeMove(STRANGER, "", PASS, STALE), R.NOT_SEATED, ()),
    ("left", MakeMove("p1", "", PASS), R.NOT_SEATED, ()),
    ("finished", MOVE, R.MATCH_OVER, ()),
    ("finished", MakeMove("p0", "", PASS, STALE), R.MATCH_OVER, ()),
    ("abandoned", MOVE, R.NOT_SEATED, ()),
]


@pytest.mark.parametrize(("name", "command", "reason", "facts"), REFUSALS)
def test_a_command_out_of_place_is_refused_with_its_reason(
    name: str, command: Command, reason: MatchReason, facts: tuple[tuple[str, str], ...]
) -> None:
    table = TABLES[name]()
    assert decide(table.history.match, command) == MatchRefusal(reason, facts)


def test_a_stale_move_is_refused_before_the_rules_are_asked() -> None:
    table = playing_table(TWO)
    command = MakeMove("p0", "", PASS, STALE)
    expected = MatchRefusal(MatchReason.STALE_SEQUENCE, stale(table.match.sequence))
    assert decide(table.match, command) == expected


def test_a_move_against_the_rules_is_refused_with_their_reason() -> None:
    table = playing_table(TWO)
    position = table.match.position
    assert position
    refusal = rules.play(position, PASS, position.leader)
    assert isinstance(refusal, rules.Refusal)
    command = MakeMove(f"p{position.leader}", "", PASS)
    assert decide(table.match, command) == MatchRefusal(refusal.reason, refusal.facts)


def test_nobody_moves_between_the_start_and_the_first_deal() -> None:
    table = full_table(TWO)
    started = Record(table.match.sequence + 1, NOON, MatchStarted())
    refusal = decide(apply(table.match, started), MOVE)
    assert refusal == MatchRefusal(rules.Reason.DEAL_OVER)


def test_rules_that_cannot_be_played_are_refused_field_by_field() -> None:
    impossible = RuleSet(seats=6, deck=24, turn_seconds=-1)
    refusal = decide(None, create_command(impossible))
    assert isinstance(refusal, MatchRefusal)
    assert refusal.reason is MatchReason.INVALID_FIELD
    named = {field for field, _ in refusal.facts}
    assert named == {"rules.seats", "rules.turn_seconds"}


@pytest.mark.parametrize("table", ["open", "playing", "finished"])
def test_cards_are_dealt_only_when_a_deal_is_due(table: str) -> None:
    with pytest.raises(ValueError, match="awaits no deal"):
        decide(TABLES[table]().match, DealCards(deck_cards(36)))


@pytest.mark.parametrize(
    ("spectators", "player_id", "refusal"),
    [
        (Spectators.LIVE, STRANGER, None),
        (Spectators.NONE, "p0", None),
        (Spectators.NONE, STRANGER, MatchRefusal(MatchReason.SPECTATORS_REFUSED)),
    ],
)
def test_strangers_watch_where_spectators_are_welcome(
    spectators: Spectators, player_id: str, refusal: MatchRefusal | None
) -> None:
    table = Tabletop()
    table.do(create_command(TWO, spectators=spectators))
    assert refuse_watching(table.match, player_id) == refusal


TEXTS = [
    (MatchRefusal(R.SEAT_TAKEN, (("seat", "2"),)), "Seat 2 is taken."),
    (MatchRefusal(R.STALE_SEQUENCE, stale(5)), "The last event is 5, not 77."),
    (MatchRefusal(R.SEATS_FREE, (("free", "1, 2"),)), "Seats are free: 1, 2."),
    (MatchRefusal(R.INVALID_FIELD, (("seat", "too high"), ("x", "bad"))), "seat: too high; x: bad"),
    (MatchRefusal(rules.Reason.ALREADY_PASSED), "This seat has passed."),
    (MatchRefusal(R.NOT_OWNER), "Only the owner of the match may do this."),
]


@pytest.mark.parametrize(("refusal", "text"), TEXTS)
def test_a_refusal_reads_as_a_sentence(refusal: MatchRefusal, text: str) -> None:
    assert refusal.text == text


@pytest.mark.parametrize("reason", [reason for reason in R if reason is not R.INVALID_FIELD])
def test_every_reason_has_a_text(reason: MatchReason) -> None:
    facts = (("seat", "1"), ("seats", "1"), ("free", "1"), ("sequence", "1"), ("expected", "2"))
    assert MatchRefusal(reason, facts).text.endswith(".")


def test_no_refusal_tells_the_invite_code() -> None:
    for name, command, _, _ in REFUSALS:
        refusal = decide(TABLES[name]().history.match, command)
        assert INVITE_CODE not in repr(refusal)
