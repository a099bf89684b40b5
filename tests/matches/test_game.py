"""A game is taken out of a log, written, read and played again (notation.md)."""

import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from durak_server.matches import (
    BrokenGame,
    BrokenLog,
    Game,
    GameTextError,
    History,
    LeaveMatch,
    Left,
    Moved,
    Player,
    format_game,
    game_log,
    game_of,
    parse_game,
)
from durak_server.rules import Dump, Dumped, Leave, MoveKind, RuleSet
from tests.matches.random_matches import tables
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    finished_table,
    open_table,
    playing_table,
)

TWO = RuleSet(seats=2)
NOTATION = Path(__file__).parents[2] / "docs" / "notation.md"


def played(table: Tabletop) -> Game:
    return game_of(table.history)


@settings(max_examples=60)
@given(tables())
def test_a_game_is_written_read_and_played_again(table: Tabletop) -> None:
    game = played(table)
    assert parse_game(format_game(game)) == game
    again = History(game_log(game)).match
    assert again
    assert (again.position, again.dealt, again.seats, again.status, again.times_fool) == (
        *(table.match.position, table.match.dealt, game.seats),
        *(table.match.status, table.match.times_fool),
    )


@pytest.mark.parametrize("table", [open_table(TWO), abandoned_table(TWO), playing_table(TWO)])
def test_a_match_that_was_not_played_is_a_game_as_well(table: Tabletop) -> None:
    game = played(table)
    assert parse_game(format_game(game)) == game
    assert game_of(History(game_log(game))) == game


def test_who_leaves_after_he_went_out_is_marked() -> None:
    table = playing_table(RuleSet(seats=3))
    for _ in table.moves_until_over():
        out = table.match.position.out if table.match.position else ()
        if out:
            table.do(LeaveMatch(f"p{out[0][0]}", "leave"))
            break
    game = played(table)
    assert "leave" not in format_game(game)
    assert [player.has_left for player in game.seats if player].count(True) == 1
    assert parse_game(format_game(game)) == game
    assert game_of(History(game_log(game))) == game


def test_a_deal_that_a_leaver_made_void_and_the_one_dealt_anew_are_written() -> None:
    table = playing_table(RuleSet(seats=3, leave=Leave.RESTART_DEAL), seed=1)
    table.do(LeaveMatch("p1", ""))
    game = played(table)
    text = format_game(game)
    assert "bout 1\nP1 leave +1.000\nresult VOID;-;-;0\n" in text
    assert re.search(r"^deal 2 dealer P0 leader P[02] seats P0 P2$", text, re.MULTILINE)
    assert parse_game(text) == game
    assert game_of(History(game_log(game))) == game


@pytest.mark.parametrize("dump", [Dump.MAY, Dump.MUST])
@pytest.mark.parametrize("seed", range(5))
def test_cards_dumped_by_choice_are_moves_and_those_dumped_by_rule_are_not(
    dump: Dump, seed: int
) -> None:
    table = finished_table(RuleSet(seats=3, dump=dump), seed)
    dumped = sum(isinstance(record.event, Dumped) for record in table.history.records(0))
    game = played(table)
    steps = [step for deal in game.deals for bout in deal.bouts for step in bout]
    chosen = sum(isinstance(step, Moved) and step.move.kind is MoveKind.DUMP for step in steps)
    assert dumped > 0
    assert chosen == (dumped if dump is Dump.MAY else 0)
    assert game_of(History(game_log(game))) == game


NAMES = strategies.text(strategies.characters(codec="utf-8"))


@settings(max_examples=100)
@given(NAMES, NAMES)
def test_any_name_comes_back_as_it_was(name: str, player_id: str) -> None:
    game = replace(played(playing_table(TWO)), seats=(Player(player_id, name), None))
    assert parse_game(format_game(game)) == game


def test_no_records_are_no_game() -> None:
    with pytest.raises(BrokenLog, match="there are no records"):
        game_of(History())


def text_of_a_match() -> str:
    return format_game(played(finished_table(TWO)))


def test_times_comments_and_blank_lines_may_be_left_out_or_added() -> None:
    text = text_of_a_match()
    game = parse_game(text)
    bare = "\n".join(line.partition(" +")[0] for line in text.split("\n") if line)
    commented = bare.replace("bout 2\n", "\n# the second bout\n\t bout 2\r\n")
    still = parse_game(commented)
    moves = [[[step.seat for step in bout] for bout in deal.bouts] for deal in still.deals]
    assert moves == [[[step.seat for step in bout] for bout in deal.bouts] for deal in game.deals]
    assert {step.after_ms for deal in still.deals for bout in deal.bouts for step in bout} == {0}
    assert game_of(History(game_log(still))) == still


WRONG = [
    # replaced                by                       at line below  said
    ('[Durak "1"]', '[Durak "2"]', 0, "Durak: only version 1 is known"),
    ('[Durak "1"]', "[Durak 1]", 0, 'a tag is written [Name "value"]'),
    ('[Durak "1"]', '[Durak "\\x"]', 0, "the value is no JSON string"),
    ('[Preset "podkidnoy"]', '[Match "2"]', 0, "Match is said twice"),
    ('[Preset "podkidnoy"]', "", 12, "the tag Preset is missing"),
    ('[Rules "podkidnoy"]', '[Rules "whist"]', 0, "Rules: 'whist' is not a valid Preset"),
    ('[Rules "podkidnoy"]', '[Rules "podkidnoy,name=x"]', 0, "Rules: no such option: name"),
    ("+00:00", "+01:00", 0, "Began: must be in UTC, such as 2026-11-30T12:00:00+00:00"),
    ("deal 1 dealer P0", "deal 2 dealer P0", 0, "expected: deal 1 dealer P0 leader P1"),
    ("order ", "order 1S", 0, "order: no such card: '1S'"),
    ("order ", "deck ", 0, "expected: order ..."),
    ("bout 1\n", "bout 7\n", 0, "bout 7 comes after 0 bouts"),
    ("bout 1\n", "bout 1\nP0 hides 7S\n", 1, "unknown verb: hides"),
    ("bout 1\n", "bout 1\nP0 attack 7S 7S\n", 1, "7S is named twice."),
    ("bout 1\n", "bout 1\nP9 take\n", 1, "a step is written: P0 attack 7S +1.250"),
    ("result FOOL", "result WON", 0, "result: 'WON' is not a valid DealEndReason"),
]


@pytest.mark.parametrize(("replaced", "by", "below", "said"), WRONG)
def test_a_wrong_line_is_named(replaced: str, by: str, below: int, said: str) -> None:
    before, found, rest = text_of_a_match().partition(replaced)
    assert found
    with pytest.raises(GameTextError) as caught:
        parse_game(before + by + rest)
    line = before.count("\n") + 1 + below
    assert (caught.value.line, caught.value.problem) == (line, said)


PIECES = [
    "deal 1",
    "bout 2",
    "P0",
    "take",
    "+1",
    "7S",
    "-",
    ";",
    ",",
    '"',
    "[",
    "\\",
    "=",
    "²",
    "999",
]


@settings(max_examples=300)
@given(strategies.data())
def test_whatever_is_read_is_a_game_or_a_wrong_line(data: strategies.DataObject) -> None:
    text = text_of_a_match()
    for _ in range(data.draw(strategies.integers(1, 4))):
        at = data.draw(strategies.integers(0, len(text)))
        until = at + data.draw(strategies.integers(0, 12))
        by = data.draw(strategies.sampled_from(PIECES) | strategies.text(max_size=5))
        text = text[:at] + by + text[until:]
    with suppress(GameTextError):
        game = parse_game(text)
        assert parse_game(format_game(game)) == game
        with suppress(BrokenGame):
            assert game_of(History(game_log(game))) == game


def test_a_game_that_cannot_be_played_says_where() -> None:
    game = played(playing_table(TWO))
    (deal,) = game.deals
    take = parse_game(format_game(game).replace("bout 1\n", "bout 1\nP0 take +1.000\n"))
    late = replace(take, began_at=game.began_at.replace(year=9999) + timedelta(days=31))
    (long_deal,) = late.deals
    two_days = Left(0, 2 * 24 * 3600 * 1000)
    for wrong, said in [
        (take, "deal 1, bout 1: P0 take: "),
        (replace(game, deals=(replace(deal, order=deal.order[1:]),)), "deal 1: the order is not"),
        (replace(game, times_fool=(1, 0)), "times fool: not what the moves lead to"),
        (
            replace(late, deals=(replace(long_deal, bouts=((two_days,),)),)),
            "the game lasts longer than time",
        ),
    ]:
        with pytest.raises(BrokenGame, match=said):
            game_log(wrong)


def test_the_example_of_the_documentation_is_a_game() -> None:
    (text,) = re.findall(r"```\n(\[Durak.*?)```", NOTATION.read_text(encoding="utf-8"), re.DOTALL)
    game = parse_game(text)
    assert format_game(game) == text
    assert game_of(History(game_log(game))) == game
