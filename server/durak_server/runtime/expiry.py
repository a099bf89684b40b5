"""Matches that everybody forgot are abandoned, in memory or not."""

from typing import Final

from durak_server.matches import ExpireMatch
from durak_server.observe.logs import logger
from durak_server.runtime.live_matches import LiveMatches
from durak_server.runtime.surroundings import Surroundings

_log = logger(__name__)
_BATCH: Final = 100
"""Matches asked of the store at a time."""


async def expire_matches(live: LiveMatches, around: Surroundings) -> None:
    """Abandon every match in which no human has acted for longer than the limits say.

    Each match judges for itself: it may have gone on since the store was asked.
    One that cannot be read or stored now is left for the next time.

    Raises:
        StoreError: the store does not tell which matches to look at.
    """
    now, limits = around.time.now(), around.limits
    command = ExpireMatch(now - limits.open, now - limits.playing)
    after, is_last = "", False
    while not (is_last or live.is_draining):
        batch = await around.store.idle_matches(
            command.open_since, command.playing_since, after, _BATCH
        )
        for match_id in batch:
            await _expire(live, match_id, command)
            after = match_id
        is_last = len(batch) < _BATCH


async def _expire(live: LiveMatches, match_id: str, command: ExpireMatch) -> None:
    try:
        await live.tell(match_id, command)
    except Exception as error:  # whatever is wrong with one, the others expire
        _log.error("a match could not expire", match=match_id, exc_info=error)
