"""What our own rooms raise, as failures of the call."""

from durak_server.api.failures import CallFailed, match_not_found, too_many_streams
from durak_server.api.requests import invalid_page_token
from durak_server.pb.durak.v1 import error_pb2 as pb
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
from durak_server.store import InvalidPageToken, StoreBusy, StoreUnavailable


def known_failure(error: Exception) -> CallFailed | None:
    """Return how a call fails for this reason, or None if the reason is none of a caller's."""
    match error:
        case CallFailed():
            return error
        case MatchMissing():
            return match_not_found()
        case MatchBusy() | StoreBusy():
            return CallFailed(
                pb.ERROR_REASON_MATCH_BUSY, "More commands wait than are taken; try again."
            )
        case MatchGone() | LogLost() | StoreUnavailable():
            return CallFailed(
                pb.ERROR_REASON_STORE_UNAVAILABLE, "The log cannot be written or read just now."
            )
        case ShuttingDown():
            return CallFailed(
                pb.ERROR_REASON_SHUTTING_DOWN,
                "The server is being replaced; come again in half a second.",
            )
        case NoNewMatches():
            return CallFailed(
                pb.ERROR_REASON_SHUTTING_DOWN,
                "The server is being replaced and takes no new matches; come again in 2 seconds.",
                # It may be told long before its end, and balancers take a while to notice.
                retry_after_seconds=2.0,
            )
        case InvalidPageToken():
            return invalid_page_token()
        case _:
            return _failed_watch(error)


def _failed_watch(error: Exception) -> CallFailed | None:
    match error:
        case TooManyWatchers(limit=limit):
            return too_many_streams(limit, "There are as many such streams as there may be.")
        case SequenceAhead(sequence=sequence):
            return CallFailed(
                pb.ERROR_REASON_SEQUENCE_AHEAD,
                f"The last event is {sequence}.",
                metadata={"sequence": str(sequence)},
            )
        case WatcherTooSlow(sequence=sequence):
            return CallFailed(
                pb.ERROR_REASON_WATCHER_TOO_SLOW,
                f"The stream fell too far behind after event {sequence}.",
                metadata={"sequence": str(sequence)},
            )
        case _:
            return None
