"""A verdict follows what lasts, not what happens for a moment."""

from collections.abc import Iterable

import pytest

from durak_server.observe.steady import SteadyVerdict

STEADY = 5.0
# What is said at which second, and the verdict then.
COURSES: list[list[tuple[float, bool, bool]]] = [
    [(0, True, True), (1, True, True)],
    [(0, False, False), (1, False, False)],  # the first word counts at once
    [(0, True, True), (1, False, True), (5.9, False, True), (6, False, False)],
    [(0, False, False), (1, True, False), (6, True, True)],
    [(0, True, True), (1, False, True), (3, True, True), (6, False, True), (11, False, False)],
    [(0, True, True), (1, False, True), (60, True, True), (61, False, True)],
]


def verdicts(course: Iterable[tuple[float, bool, bool]]) -> list[tuple[float, bool, bool]]:
    now = 0.0
    steady = SteadyVerdict(STEADY, lambda: now)
    found = []
    for now, said, _ in course:
        found.append((now, said, steady.told(holds=said)))
    return found


@pytest.mark.parametrize("course", COURSES)
def test_the_verdict_changes_once_the_other_was_said_for_long_enough(
    course: list[tuple[float, bool, bool]],
) -> None:
    assert verdicts(course) == course
