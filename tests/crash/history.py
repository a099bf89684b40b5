"""Judges what clients of a server saw against the log that the server kept.

A history is valid when every acknowledged command stands in the log once, with exactly the
sequences its answer named; when no refused command stands in it; when the log counts 1, 2, 3 ...
without gaps; and when every watcher saw the log from where he began, event for event.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Logged:
    """One event of a match's log: its sequence, its kind and the request that caused it."""

    sequence: int
    kind: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A command that was answered with success: the sequences of the events it caused."""

    match_id: str
    request_id: str
    sequences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was answered with an error that promises that nothing has changed."""

    match_id: str
    request_id: str


@dataclass(slots=True)
class Watched:
    """What one watcher of a match received, in order, over all his streams.

    `finished` tells that his stream said it was the last update.
    """

    match_id: str
    watcher: str
    events: list[tuple[int, str]] = field(default_factory=list)
    finished: bool = False


@dataclass(slots=True)
class History:
    """All that the clients of one run saw."""

    answers: list[Answer] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)


Logs = Mapping[str, Sequence[Logged]]


def faults(history: History, logs: Logs) -> list[str]:
    """Return what is wrong with a history, one sentence a fault; empty if it is valid."""
    return [
        *_gaps(logs),
        *_lost_or_doubled(history.answers, logs),
        *_resurrected(history.refusals, logs),
        *_misseen(history.watched, logs),
    ]


def _gaps(logs: Logs) -> Iterator[str]:
    for match_id, log in logs.items():
        sequences = [logged.sequence for logged in log]
        if sequences != list(range(1, len(log) + 1)):
            yield f"{match_id}: the log does not count from 1 without gaps: {sequences}"


def _lost_or_doubled(answers: Sequence[Answer], logs: Logs) -> Iterator[str]:
    stored: dict[tuple[str, str], list[int]] = {}
    for match_id, log in logs.items():
        for logged in log:
            stored.setdefault((match_id, logged.request_id), []).append(logged.sequence)
    for answer in answers:
        found = tuple(stored.get((answer.match_id, answer.request_id), ()))
        if found != answer.sequences:
            yield (
                f"{answer.match_id}: request {answer.request_id} was acknowledged with "
                f"{answer.sequences}, the log has {found}"
            )


def _resurrected(refusals: Sequence[Refusal], logs: Logs) -> Iterator[str]:
    caused = Counter(
        (match_id, logged.request_id) for match_id, log in logs.items() for logged in log
    )
    for refusal in refusals:
        if caused[refusal.match_id, refusal.request_id]:
            yield f"{refusal.match_id}: refused request {refusal.request_id} is in the log"


def _misseen(watched: Sequence[Watched], logs: Logs) -> Iterator[str]:
    for seen in watched:
        log = [(logged.sequence, logged.kind) for logged in logs.get(seen.match_id, ())]
        start = seen.events[0][0] - 1 if seen.events else 0
        end = None if seen.finished else start + len(seen.events)
        expected = log[start:end]
        if seen.events != expected:
            place = _first_difference(seen.events, expected)
            yield (
                f"{seen.match_id}: watcher {seen.watcher} saw {seen.events[place : place + 3]} "
                f"where the log has {expected[place : place + 3]} (event {place} of his)"
            )


def _first_difference(left: Sequence[tuple[int, str]], right: Sequence[tuple[int, str]]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    shorter = min(len(left), len(right))
    return next((place for place, (one, other) in pairs if one != other), shorter)
