import pytest

from durak_server.rules import Preset, RuleSet, deck_cards, preset
from tests.referee.agreement import Both, Disagreement, names, options_of
from tests.referee.cards import deck_of
from tests.referee.deals import play_deal
from tests.referee.moves import Move
from tests.referee.options import DEFAULTS, PRESETS

TOGETHER = 40
"""So many deals are one test."""


@pytest.mark.parametrize("first", range(0, 400, TOGETHER))
def test_engine_and_referee_agree_on_every_step(first: int) -> None:
    for number in range(first, first + TOGETHER):
        assert play_deal(number).reason


@pytest.mark.parametrize("name", Preset)
def test_a_preset_is_what_the_page_says(name: Preset) -> None:
    assert options_of(preset(name)) == {**DEFAULTS, **PRESETS[name]}


@pytest.mark.parametrize("deck", [24, 36, 52, 54])
def test_a_deck_is_what_the_page_says(deck: int) -> None:
    assert names(deck_cards(deck)) == deck_of({"deck": deck})


def both_at_the_start() -> Both:
    """Return a deal in which seat 0 leads with 6S in hand."""
    rules = RuleSet()
    return Both(rules, deck_of(options_of(rules)), 1, 0)


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
