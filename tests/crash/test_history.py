"""The judge of histories finds each kind of broken promise, and only those."""

import pytest

from tests.crash.history import Answer, History, Logged, Refusal, Watched, faults

LOG = (
    Logged(1, "match_created", "make"),
    Logged(2, "player_joined", "make"),
    Logged(3, "led", "lead"),
    Logged(4, "beaten", "beat"),
    Logged(5, "bout_ended", "beat"),
)
ALL = [(logged.sequence, logged.kind) for logged in LOG]


def watched(events: list[tuple[int, str]], *, finished: bool = False) -> History:
    return History(watched=[Watched("m", "w", events, finished)])


VALID = [
    History(),
    History(answers=[Answer("m", "lead", (3,)), Answer("m", "beat", (4, 5))]),
    History(refusals=[Refusal("m", "never stored")]),
    watched([]),
    watched(ALL[:3]),
    watched(ALL[2:4]),
    watched(ALL, finished=True),
]

BROKEN = [
    ("acknowledged, never stored", History(answers=[Answer("m", "lost", (6,))])),
    ("acknowledged in another place", History(answers=[Answer("m", "lead", (4,))])),
    ("half of what was acknowledged", History(answers=[Answer("m", "beat", (4, 5, 6))])),
    ("stored, but refused", History(refusals=[Refusal("m", "lead")])),
    ("a gap", watched([ALL[0], ALL[2]])),
    ("a double", watched([ALL[0], ALL[0]])),
    ("out of order", watched([ALL[1], ALL[0]])),
    ("an event that is not in the log", watched([*ALL, (6, "passed")])),
    ("another event at that place", watched([(1, "passed")])),
    ("told it was all, one short", watched(ALL[:4], finished=True)),
]


@pytest.mark.parametrize("history", VALID)
def test_a_true_history_has_no_faults(history: History) -> None:
    assert faults(history, {"m": LOG}) == []


@pytest.mark.parametrize("history", [history for _, history in BROKEN], ids=[n for n, _ in BROKEN])
def test_a_broken_promise_is_one_fault(history: History) -> None:
    assert len(faults(history, {"m": LOG})) == 1


@pytest.mark.parametrize(
    "log", [(LOG[0], LOG[2]), (LOG[0], LOG[0], LOG[1]), (LOG[1],), (LOG[1], LOG[0])]
)
def test_a_log_with_a_gap_or_a_double_is_a_fault(log: tuple[Logged, ...]) -> None:
    assert len(faults(History(), {"m": log})) == 1


def test_a_command_stored_twice_is_a_fault() -> None:
    doubled = (*LOG, Logged(6, "beaten", "beat"))
    assert len(faults(History(answers=[Answer("m", "beat", (4, 5))]), {"m": doubled})) == 1
