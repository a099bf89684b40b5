"""The log is the truth: a match is the fold of its records."""

import gc
from dataclasses import replace

import pytest
from hypothesis import given, settings

from durak_server.matches import (
    BrokenLog,
    History,
    MakeMove,
    Match,
    MatchCreated,
    MatchStarted,
    Record,
    apply,
    summary,
)
from durak_server.rules import RuleSet
from tests.matches.random_matches import tables
from tests.matches.tabletop import NOON, Tabletop, finished_table, open_table, playing_table

TWO = RuleSet(seats=2)


@settings(max_examples=60)
@given(tables())
def test_the_fold_of_the_records_is_the_match(table: Tabletop) -> None:
    folded = History(table.history.records(0))
    assert folded.match == table.match
    assert summary(folded.match) == summary(table.match)


@settings(max_examples=30)
@given(tables())
def test_the_match_at_a_sequence_is_the_fold_up_to_it(table: Tabletop) -> None:
    assert table.history.match_at(0) is None
    records = table.history.records(0)
    match: Match | None = None
    for record in records:
        match = apply(match, record)
        assert table.history.match_at(record.sequence) == match


@settings(max_examples=30)
@given(tables())
def test_records_are_numbered_from_one_without_gaps(table: Tabletop) -> None:
    records = table.history.records(0)
    assert [record.sequence for record in records] == list(range(1, len(records) + 1))
    assert table.match.sequence == table.history.sequence == len(records)
    assert table.match.created_at == records[0].recorded_at
    assert table.match.updated_at == records[-1].recorded_at


@settings(max_examples=30)
@given(tables())
def test_a_repeated_request_is_known_after_a_fold(table: Tabletop) -> None:
    folded = History(table.history.records(0))
    for record in table.history.records(0):
        answer = folded.answer_to(record.player_id, record.request_id)
        if not record.request_id:  # what the house did by itself
            assert answer is None
            continue
        assert answer is not None
        first, last = answer
        assert first <= record.sequence <= last
        caused = folded.records(first - 1, last)
        assert {(one.player_id, one.request_id) for one in caused} == {
            (record.player_id, record.request_id)
        }


def test_the_answer_to_a_request_includes_the_deal_that_it_led_to() -> None:
    table = playing_table(TWO)
    # match_created, player_joined, player_joined, then match_started, deal_started, bout_started
    assert table.history.answer_to("p0", "create") == (1, 2)
    assert table.history.answer_to("p1", "join-1") == (3, 3)
    assert table.history.answer_to("p0", "start") == (4, 6)


def test_a_request_is_known_by_its_player_and_its_id_together() -> None:
    history = open_table(TWO).history
    assert history.answer_to("p1", "create") is None
    assert history.answer_to("p0", "other") is None


def test_commands_without_an_id_are_never_taken_for_repeats() -> None:
    table = playing_table(TWO)
    seat, move = table.any_move()
    table.do(MakeMove(f"p{seat}", "", move))
    assert table.history.answer_to(f"p{seat}", "") is None


def test_an_empty_history_has_no_match() -> None:
    history = History()
    assert (history.match, history.sequence, list(history.records(0))) == (None, 0, [])


def test_records_are_read_from_any_sequence_to_any_other() -> None:
    history = finished_table(TWO).history
    whole = list(history.records(0))
    assert list(history.records(5)) == whole[5:]
    assert list(history.records(5, 9)) == whole[5:9]
    assert list(history.records(len(whole))) == []


CREATED = open_table(TWO).history.records(0)[0]


@pytest.mark.parametrize(
    ("match", "record"),
    [
        (None, Record(1, NOON, MatchStarted())),
        (None, replace(CREATED, sequence=2)),
        (apply(None, CREATED), replace(CREATED, sequence=2)),
        (apply(None, CREATED), Record(1, NOON, MatchStarted())),
        (apply(None, CREATED), Record(3, NOON, MatchStarted())),
    ],
    ids=["no match", "late beginning", "second beginning", "again", "gap"],
)
def test_a_record_that_cannot_follow_is_refused(match: Match | None, record: Record) -> None:
    with pytest.raises(BrokenLog):
        apply(match, record)


def test_a_match_is_as_small_after_thousands_of_events_as_after_its_first_deal() -> None:
    table = playing_table(RuleSet(seats=2, deals=0), seed=9)
    sizes = []
    for least in (200, 5_000):
        while table.history.sequence < least:
            table.move_at_random()
        sizes.append(objects_reached(table.match))
    assert sizes[1] < sizes[0] + 200


def objects_reached(match: Match) -> int:
    """Return how many objects of its own a match leads to, its rule tables left out."""
    seen = {id(match.rules)}
    if match.position:
        seen.add(id(match.position.law))
    waiting: list[object] = [match]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        waiting += gc.get_referents(thing)
    return len(seen)


def test_the_first_event_holds_what_never_changes() -> None:
    match = open_table(TWO).match
    created = CREATED.event
    assert isinstance(created, MatchCreated)
    assert (match.match_id, match.rules) == (created.match_id, created.rules)
