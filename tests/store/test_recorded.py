"""Matches recorded once, line by line as they lie in a store, replay for ever.

A recording that no longer replays is a broken promise: mend the code, never the file.
"""

from pathlib import Path

import pytest

from durak_server.matches import History, MatchStatus
from durak_server.rules import DealEnded, DealEndReason
from durak_server.store.event_kinds import RECORDS

FOLDER = Path(__file__).parent / "recorded"

# File, records, times fool, the last deal's end.
RECORDED = [
    (
        "podkidnoy_two_deals",
        554,
        (1, 0, 1, 0),
        DealEnded((2,), ((1,), (3,), (0,), (2,)), 0, DealEndReason.FOOL),
    ),
    (
        "perevodnoy_with_leaver",
        152,
        (0, 1, 1),
        DealEnded((1, 2), ((0,), (2,), (1,)), 0, DealEndReason.FOOL),
    ),
    (
        "jokers_and_rare_moves",
        326,
        (0, 0, 1),
        DealEnded((2,), ((0,), (1,), (2,)), 0, DealEndReason.FOOL),
    ),
    (
        "redeal_then_leave",
        16,
        (1, 0),
        DealEnded((0,), ((1,), (0,)), 0, DealEndReason.FORFEIT),
    ),
]


@pytest.mark.parametrize(("name", "length", "times_fool", "ended"), RECORDED)
def test_a_recorded_match_replays(
    name: str, length: int, times_fool: tuple[int, ...], ended: DealEnded
) -> None:
    bodies = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    records = [RECORDS.decode(sequence, body) for sequence, body in enumerate(bodies, 1)]
    match = History(records).match
    assert match
    assert (match.status, match.sequence) == (MatchStatus.FINISHED, length)
    assert (match.times_fool, match.last_result) == (times_fool, ended)
    assert match.position
    assert match.position.result == ended


def test_recordings_hold_every_move_there_is() -> None:
    stored = b"".join(path.read_bytes() for path in FOLDER.glob("*.jsonl"))
    names = "led thrown_in beaten transferred shown take_declared passed retracted dumped"
    for name in [*names.split(), "redeal_claimed", "forfeited", "deal_ended"]:
        assert b'"event":"%s"' % name.encode() in stored
