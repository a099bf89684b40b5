"""Worked cases: a position, some steps, and what must come of them.

The form of a case is described at the top of a file of cases. Whatever a case says that is not
known here is a failure of that case, never ignored.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from durak_server.rules.casefacts import in_order, observed
from durak_server.rules.casesetup import CaseError, mapping, seat_number, set_up
from durak_server.rules.events import Event
from durak_server.rules.movetext import parse_move
from durak_server.rules.play import play
from durak_server.rules.position import Position
from durak_server.rules.refusals import Reason, Refusal

_ONE_AT_A_TIME: Final = Refusal(Reason.SINGLE_THROW_ONLY)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a case found; it passed if there are no failures."""

    id: str
    failures: tuple[str, ...]


def run_cases(documents: object) -> list[CaseResult]:
    """Run every case of a list and return the results in the same order.

    A case whose id another one before it has fails.

    Raises:
        ValueError: it is no list, or something in it is no mapping.
    """
    if not isinstance(documents, Sequence) or isinstance(documents, str):
        raise ValueError("there is no list of cases in it")
    results = [_run(number, document) for number, document in enumerate(documents, 1)]
    seen = Counter[str]()
    for place, result in enumerate(results):
        if seen[result.id]:
            failures = ("another case has this id", *result.failures)
            results[place] = CaseResult(result.id, failures)
        seen[result.id] += 1
    return results


def _run(number: int, document: object) -> CaseResult:
    try:
        case = mapping(document)
    except CaseError as error:
        raise ValueError(f"case {number} is {error}") from error
    try:
        failures = tuple(_failures(case))
    except CaseError as error:
        failures = (str(error),)
    return CaseResult(str(case.get("id", "?")), failures)


def _failures(case: Mapping[str, object]) -> Iterator[str]:
    position = set_up(case)
    events: list[Event] = []
    for step in _steps(case):
        text, wanted = _step(step)
        answer = _play(position, text)
        if wanted is None and answer == _ONE_AT_A_TIME:
            answer = _throw_one_by_one(position, text)
        if isinstance(answer, Refusal):
            if answer.reason != wanted:
                yield f"{text}: refused with {answer.reason}, expected {wanted or 'no refusal'}"
        elif wanted is not None:
            yield f"{text}: accepted, expected {wanted}"
        else:
            position, happened = answer
            events.extend(happened)
    for key, expected in mapping(case.get("expect")).items():
        actual = observed(key, position, events, expected)
        if actual != in_order(key, expected):
            yield f"{key}: {actual}, expected {expected}"


def _throw_one_by_one(
    position: Position, text: str
) -> tuple[Position, tuple[Event, ...]] | Refusal:
    """Throw in the cards of a step singly, where the rule set has it so."""
    name, verb, *words = text.split()
    events: list[Event] = []
    for word in words:
        answer = _play(position, f"{name} {verb} {word}")
        if isinstance(answer, Refusal):
            return answer
        position, happened = answer
        events.extend(happened)
    return position, tuple(events)


def _steps(case: Mapping[str, object]) -> list[object]:
    steps = case.get("steps")
    if not isinstance(steps, list):
        raise CaseError(f"steps: not a list: {steps!r}" if "steps" in case else "no steps")
    if not steps and not case.get("expect"):
        raise CaseError("neither steps nor anything expected")
    return steps


def _step(step: object) -> tuple[str, str | None]:
    """Return the text of a step and the reason with which it must be refused, if it must."""
    if isinstance(step, str):
        return step, None
    pairs = list(mapping(step).items())
    if len(pairs) != 1:
        raise CaseError(f"not a step: {step!r}")
    return pairs[0][0], str(pairs[0][1])


def _play(position: Position, text: str) -> tuple[Position, tuple[Event, ...]] | Refusal:
    name, _, words = text.partition(" ")
    try:
        move = parse_move(words)
    except ValueError as error:
        raise CaseError(str(error)) from error
    if isinstance(move, Refusal):
        return move
    return play(position, move, seat_number(name, position.law.seats))
