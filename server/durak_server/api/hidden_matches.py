"""A match that hides from its caller fails as one that is not there, in time and kind."""

from typing import Final

from durak_server.api.failures import CallFailed
from durak_server.pb.durak.v1 import error_pb2 as pb
from durak_server.runtime import MatchHidden
from durak_server.store import EventStore, StoreError

_NO_MATCH: Final = ""
"""An id that no match has."""


class HiddenMatches:
    """Asks the store before it is said that there is no match, also where that was known.

    A match that hides may be in memory. Of one that is not there the store is asked: that takes
    its time, and fails while the store does.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def disguised(self, error: Exception) -> Exception:
        """Return what a call fails with instead of `error`, if that is that a match hides."""
        if not _hides_match(error):
            return error
        try:
            await self._store.read(_NO_MATCH)
        except StoreError as failed:
            return failed
        return error


def _hides_match(error: Exception) -> bool:
    if isinstance(error, CallFailed):
        return error.reason == pb.ERROR_REASON_MATCH_NOT_FOUND
    return isinstance(error, MatchHidden)
