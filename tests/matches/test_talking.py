"""Who may say what at the table, and who hears it (rules.md, 11)."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from durak_server.matches import (
    AnnounceRematch,
    LeaveMatch,
    MatchReason,
    MatchRefusal,
    Openly,
    Phrase,
    Reaction,
    Said,
    Say,
    SeenSaid,
    Speech,
    WantRematch,
    game_of,
    visible,
)
from durak_server.rules import RuleSet, TableTalk, Teams
from tests.matches.tabletop import (
    Tabletop,
    abandoned_table,
    finished_table,
    open_table,
    playing_table,
)

WORDS = Speech(text="Well, well")
PHRASE = Speech(phrase=Phrase.BEAT_THAT)
REACTION = Speech(reaction=Reaction.LAUGHTER)
PATIENCE = timedelta(minutes=2)


def say(table: Tabletop, seat: int, speech: Speech = WORDS) -> MatchRefusal | tuple[object, ...]:
    outcome = table.ask(Say(f"p{seat}", "", speech, table.now - PATIENCE))
    if isinstance(outcome, MatchRefusal):
        return outcome
    return tuple(record.event for record in outcome)


NOBODY = MatchRefusal(MatchReason.TALK_FORBIDDEN)
NO_WORDS = MatchRefusal(MatchReason.PHRASES_ONLY)
CUSTOMS = [
    # table_talk, what is said, refusal
    (TableTalk.ON, WORDS, None),
    (TableTalk.ON, REACTION, None),
    (TableTalk.NO_PARTNERS, WORDS, None),
    (TableTalk.PHRASES, WORDS, NO_WORDS),
    (TableTalk.PHRASES, PHRASE, None),
    (TableTalk.PHRASES, REACTION, None),
    (TableTalk.OFF, WORDS, NOBODY),
    (TableTalk.OFF, PHRASE, NOBODY),
]


@pytest.mark.parametrize(("talk", "speech", "refusal"), CUSTOMS)
@pytest.mark.parametrize("make", [open_table, playing_table, finished_table])
def test_the_rule_set_says_what_may_be_said(
    make: Callable[[RuleSet], Tabletop],
    talk: TableTalk,
    speech: Speech,
    refusal: MatchRefusal | None,
) -> None:
    said = say(make(RuleSet(table_talk=talk)), 0, speech)
    assert said == (refusal or (Said(0, "p0", speech),))


def test_nobody_speaks_without_a_seat() -> None:
    table = playing_table(RuleSet(seats=3))
    table.do(LeaveMatch("p2", ""))
    for seat in (2, 7):
        assert say(table, seat) == MatchRefusal(MatchReason.NOT_SEATED)


def test_a_table_talks_on_while_it_may_want_another_match() -> None:
    table = finished_table(RuleSet(seats=2))
    table.now += timedelta(seconds=118)
    assert say(table, 1, PHRASE) == (Said(1, "p1", PHRASE),)
    table.now += timedelta(seconds=3)
    assert say(table, 1, PHRASE) == MatchRefusal(MatchReason.MATCH_OVER)


def test_a_table_disperses_once_there_is_another_match_or_none_to_be() -> None:
    table = finished_table(RuleSet(seats=2))
    for seat in (0, 1):
        table.do(WantRematch(f"p{seat}", ""))
    table.do(AnnounceRematch("next"))
    assert say(table, 0) == MatchRefusal(MatchReason.MATCH_OVER)
    # Everybody has left the abandoned one, and who left has no say.
    assert say(abandoned_table(RuleSet()), 0) == MatchRefusal(MatchReason.NOT_SEATED)


PARTNERS_APART = RuleSet(seats=6, teams=Teams.ALTERNATE, table_talk=TableTalk.NO_PARTNERS)


def test_partners_do_not_hear_each_other_during_a_deal() -> None:
    table = playing_table(PARTNERS_APART)
    (said,) = table.do(Say("p3", "", WORDS, table.now))
    assert said == Said(3, "p3", WORDS, kept_from=(1, 5))
    heard = {seat: visible(said, seat, table.match.dealt) for seat in range(6)}
    assert heard == {
        seat: SeenSaid(3, "p3", None if seat in (1, 5) else WORDS) for seat in range(6)
    }
    for viewer in (None, Openly.OPEN):
        assert visible(said, viewer, table.match.dealt) == SeenSaid(3, "p3", WORDS)


@pytest.mark.parametrize("make", [open_table, finished_table])
def test_partners_hear_each_other_before_and_after(make: Callable[[RuleSet], Tabletop]) -> None:
    assert say(make(PARTNERS_APART), 0) == (Said(0, "p0", WORDS),)


def test_clocks_run_on_while_somebody_talks() -> None:
    table = playing_table(RuleSet(seats=2, turn_seconds=30))
    clocks = table.match.clocks
    table.now += timedelta(seconds=10)
    assert say(table, clocks[0].seat) == (Said(clocks[0].seat, f"p{clocks[0].seat}", WORDS),)
    assert table.match.clocks == clocks


def test_talk_is_no_part_of_the_game() -> None:
    quiet, loud = playing_table(RuleSet(), seed=3), playing_table(RuleSet(), seed=3)
    loud.do(Say("p0", "", WORDS, loud.now))
    assert game_of(loud.history) == game_of(quiet.history)


@pytest.mark.parametrize("said", [{}, {"text": "a", "phrase": Phrase.HELLO}])
def test_a_speech_is_one_thing(said: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="one thing"):
        Speech(**said)  # type: ignore[arg-type]  # each field has a type of its own
