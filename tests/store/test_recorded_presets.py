"""A recorded match of every preset folds to the recorded positions, for ever.

A recording that no longer replays is a broken promise: mend the code, never the file.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from durak_server.matches import (
    BrokenLog,
    History,
    MatchStatus,
    checked_fold,
    game_log,
    game_of,
)
from durak_server.rules import Beaten, Preset, format_position, parse_position
from durak_server.store.archive import unpack_match

FOLDER = Path(__file__).parents[1] / "recorded"


@pytest.mark.parametrize("preset", Preset)
def test_a_recorded_match_folds_to_the_recorded_positions(preset: Preset) -> None:
    file = (FOLDER / f"{preset}.json").read_bytes()
    recorded = json.loads(file)["positions"]
    assert len(recorded) >= 8
    history = History(unpack_match(file))
    for sequence, line in recorded.items():
        match = history.match_at(int(sequence))
        assert match
        assert match.position == parse_position(line)
        assert format_position(match.position) == line
    match = checked_fold(history.records(0))
    assert (match.preset, match.status) == (preset, MatchStatus.FINISHED)


@pytest.mark.parametrize("preset", Preset)
def test_a_recorded_match_is_a_game_that_plays_to_its_end_again(preset: Preset) -> None:
    game = game_of(History(unpack_match((FOLDER / f"{preset}.json").read_bytes())))
    assert game_of(History(game_log(game))) == game


def test_a_log_in_which_a_card_is_led_twice_does_not_fold() -> None:
    records = unpack_match((FOLDER / "broken" / "card_led_twice.json").read_bytes())
    with pytest.raises(BrokenLog, match=f"record {len(records)} loses or doubles a card"):
        checked_fold(records)


def test_a_log_in_which_a_card_is_beaten_that_nobody_laid_does_not_fold() -> None:
    records = unpack_match((FOLDER / "podkidnoy.json").read_bytes())
    at, beaten = next(
        (at, record.event) for at, record in enumerate(records) if isinstance(record.event, Beaten)
    )
    broken = replace(records[at], event=replace(beaten, target=beaten.card))
    with pytest.raises(BrokenLog, match=f"record {records[at].sequence} "):
        checked_fold([*records[:at], broken])
