import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from durak_server.rules import (
    Jokers,
    Preset,
    RuleSet,
    deck_cards,
    format_position,
    preset,
    problems,
)
from durak_server.rules.options import OptionValue
from tests.referee.agreement import Both, Disagreement, names, options_of, referee_facts
from tests.referee.cards import deck_of
from tests.referee.deals import open_deal, play_deal, play_with, step
from tests.referee.moves import Move, offers
from tests.referee.notation import position_from
from tests.referee.options import DEFAULTS, PRESETS
from tests.rules.rule_sets import random_rules
from tests.rules.test_option_values import PLAYED, values_of

ROOT = Path(__file__).parents[2]
TOGETHER = 40
"""So many deals are one test."""


@pytest.mark.parametrize("first", range(0, 400, TOGETHER))
def test_engine_and_referee_agree_on_every_step(first: int) -> None:
    for number in range(first, first + TOGETHER):
        assert play_deal(number).reason


# All cards are in hands at once: the hardest table for limits, transfers and endings.
SIX_AT_A_TABLE = [(n, v) for n in PLAYED for v in values_of(n) if n != "seats"]
IMPOSSIBLE_FOR_SIX: set[tuple[str, OptionValue]] = {
    ("deck", 24),
    ("deck", 54),
    ("jokers", Jokers.COLOUR),
}


def six_with(name: str, value: OptionValue) -> RuleSet:
    return preset("perevodnoy", **{"seats": 6, name: value})


def test_six_can_play_all_but_these_with_36_cards() -> None:
    impossible = {pair for pair in SIX_AT_A_TABLE if problems(six_with(*pair))}
    assert impossible == IMPOSSIBLE_FOR_SIX


@pytest.mark.parametrize(
    ("name", "value"), [pair for pair in SIX_AT_A_TABLE if pair not in IMPOSSIBLE_FOR_SIX]
)
def test_six_with_36_cards_agree_under_every_option(name: str, value: OptionValue) -> None:
    for number in range(2):
        assert play_with(six_with(name, value), "chance", Random(number)).reason


def played_elsewhere(hash_seed: str) -> str:
    """Return what is counted of some deals in a process with another order of sets."""
    code = "from tests.referee.deals import play_deal; print([play_deal(n) for n in range(4)])"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_number_plays_the_same_deal_whatever_the_order_of_sets() -> None:
    """The order of sets of text differs from process to process, by a seed of Python's own."""
    assert played_elsewhere("1") == played_elsewhere("2") != ""


@pytest.mark.parametrize("name", Preset)
def test_a_preset_is_what_the_page_says(name: Preset) -> None:
    assert options_of(preset(name)) == {**DEFAULTS, **PRESETS[name]}


@pytest.mark.parametrize("deck", [24, 36, 52, 54])
def test_a_deck_is_what_the_page_says(deck: int) -> None:
    assert names(deck_cards(deck)) == deck_of({"deck": deck})


@pytest.mark.parametrize("seed", range(5))
def test_the_referee_reads_what_the_engine_writes_of_a_position(seed: int) -> None:
    random = Random(seed)
    both = open_deal(random_rules(random), random)
    while both.referee.result is None:
        read = position_from(format_position(both.engine))
        for seat in range(both.rules.seats):
            assert set(offers(read, seat)) == set(offers(both.referee, seat))
        assert referee_facts(read) == referee_facts(both.referee)
        step(both, "chance", random)


def both_at_the_start() -> Both:
    """Return a deal in which seat 0 leads with 6S in hand."""
    rules = RuleSet()
    return Both(rules, deck_of(options_of(rules)), 1, 0, list(range(rules.seats)))


def test_a_hidden_difference_is_found_at_the_next_step() -> None:
    both = both_at_the_start()
    both.referee.stock.reverse()
    with pytest.raises(Disagreement, match="stock: engine"):
        both.make(0, Move("attack", frozenset(["6S"])))


def test_a_move_that_only_one_allows_is_told() -> None:
    both = both_at_the_start()
    both.referee.leader = 1
    with pytest.raises(Disagreement, match="seat 0: attack 6S: engine allowed, referee refused"):
        both.make(0, Move("attack", frozenset(["6S"])))
