"""What each room raises, as a caller is told."""

import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from durak_server.api.failures import invalid_field, refused
from durak_server.api.rate_limit import RateLimited
from durak_server.api.status import trailers
from durak_server.api.translated_errors import known_failure
from durak_server.api.wire_refusals import wire_refusal
from durak_server.matches import MatchReason, MatchRefusal
from durak_server.rules import Reason
from durak_server.runtime import (
    LogLost,
    MatchBusy,
    MatchGone,
    MatchMissing,
    NoNewMatches,
    SequenceAhead,
    ShuttingDown,
    TooManyWatchers,
    WatcherTooSlow,
)
from durak_server.store import InvalidPageToken, StoreBusy, StoreCorrupt, StoreUnavailable

KNOWN = [
    (MatchMissing("m"), "NOT_FOUND", "MATCH_NOT_FOUND", None),
    (MatchBusy("m"), "RESOURCE_EXHAUSTED", "MATCH_BUSY", 0.1),
    (StoreBusy("full"), "RESOURCE_EXHAUSTED", "MATCH_BUSY", 0.1),
    (LogLost("m"), "UNAVAILABLE", "STORE_UNAVAILABLE", 1.0),
    (MatchGone("m"), "UNAVAILABLE", "STORE_UNAVAILABLE", 1.0),
    (StoreUnavailable("no room"), "UNAVAILABLE", "STORE_UNAVAILABLE", 1.0),
    (ShuttingDown(), "UNAVAILABLE", "SHUTTING_DOWN", 0.5),
    (NoNewMatches(), "UNAVAILABLE", "SHUTTING_DOWN", 2.0),
    (InvalidPageToken("x"), "INVALID_ARGUMENT", "INVALID_FIELD", None),
    (TooManyWatchers("streams_per_match"), "RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", 10.0),
    (SequenceAhead(7), "OUT_OF_RANGE", "SEQUENCE_AHEAD", None),
    (WatcherTooSlow(7), "RESOURCE_EXHAUSTED", "WATCHER_TOO_SLOW", 1.0),
    (invalid_field("name", "is empty"), "INVALID_ARGUMENT", "INVALID_FIELD", None),
]


@pytest.mark.parametrize(("error", "code", "reason", "retry"), KNOWN)
def test_what_a_caller_can_answer_is_told_to_him(
    error: Exception, code: str, reason: str, retry: float | None
) -> None:
    failure = known_failure(error)

    assert failure
    assert (failure.code.name, failure.reason_name) == (code, reason)
    assert failure.retry_after_seconds == retry


@pytest.mark.parametrize("error", [StoreCorrupt("broken"), ValueError("secret")])
def test_what_he_cannot_is_an_incident(error: Exception) -> None:
    assert known_failure(error) is None


@pytest.mark.parametrize(
    ("seconds", "told"), [(1e-9, 1), (0.0004, 1), (0.0011, 2), (0.1, 100), (10.0, 10_000)]
)
def test_nobody_is_told_to_come_again_at_once(seconds: float, told: int) -> None:
    failure = RateLimited("calls_per_second", "a", seconds)
    retry, trailing = RetryInfo(), dict(trailers(failure))
    details = trailing["grpc-status-details-bin"]
    assert isinstance(details, bytes)
    Status.FromString(details).details[-1].Unpack(retry)

    assert trailing["grpc-retry-pushback-ms"] == str(told)
    assert retry.retry_delay.ToMilliseconds() == told
    assert wire_refusal(failure).retry_delay.ToMilliseconds() == told


def test_a_malformed_move_is_an_invalid_argument() -> None:
    failure = refused(MatchRefusal(Reason.MALFORMED_MOVE))

    assert (failure.code.name, [field for field, _ in failure.violations]) == (
        "INVALID_ARGUMENT",
        ["move"],
    )


def test_two_problems_of_one_field_are_one_violation() -> None:
    facts = (("rules.seats", "too many"), ("rules.deck", "too small"), ("rules.seats", "odd"))

    failure = refused(MatchRefusal(MatchReason.INVALID_FIELD, facts))

    assert failure.violations == (("rules.seats", "too many; odd"), ("rules.deck", "too small"))


def test_the_facts_of_a_refusal_are_its_metadata() -> None:
    failure = refused(MatchRefusal(Reason.DOES_NOT_BEAT, (("card", "8S"), ("target", "9S"))))

    assert failure.metadata == {"card": "8S", "target": "9S"}
    assert (failure.reason_name, failure.text) == ("DOES_NOT_BEAT", "8S does not beat 9S.")
