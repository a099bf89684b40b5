"""How fast one player may do and undo things at one table before the start."""

import asyncio
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from durak_server.api.rate_limit import RateLimit
from durak_server.matches import (
    AddBot,
    JoinMatch,
    MatchRefusal,
    PlayerCommand,
    RenewInvite,
    SetReady,
)
from durak_server.runtime import LiveMatch, LiveMatches, Outcome

_Paced: TypeAlias = AddBot | JoinMatch | RenewInvite | SetReady
_PACED: Final = (AddBot, JoinMatch, RenewInvite, SetReady)
"""What can be done again and again, most of it because there are calls that undo it."""


class TablePace:
    """Counts by player and match what has changed the match; nothing else is ever refused.

    So whoever cannot find a match does not learn of it here either.
    """

    def __init__(self, limit: RateLimit) -> None:
        self._limit = limit
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def submit(
        self, live: LiveMatches, match_id: str, command: PlayerCommand
    ) -> Outcome | MatchRefusal:
        """Do a command; see `LiveMatches.submit` for what else it raises.

        Raises:
            RateLimited: the player has to wait before he changes something.
        """
        if not isinstance(command, _PACED):
            return await live.submit(match_id, command)
        # A caller who hangs up does not stop the command, so it is counted nevertheless.
        return await asyncio.shield(self._submit_paced(live, match_id, command))

    async def _submit_paced(
        self, live: LiveMatches, match_id: str, command: _Paced
    ) -> Outcome | MatchRefusal:
        key = f"{match_id} {command.player_id}"
        # One at a time: many at once would all find the last place free. Were places taken before
        # it is known what comes of them, strangers would learn which matches there are.
        async with self._locks.setdefault(key, asyncio.Lock()):
            found = await live.find(match_id)
            before = found.history.sequence
            if _is_new(found, command):
                self._limit.refuse_too_fast(key)
            outcome = await live.submit(match_id, command)
            if isinstance(outcome, Outcome) and before < outcome.last >= outcome.first:
                self._limit.charge(key)
            return outcome


def _is_new(live: LiveMatch, command: _Paced) -> bool:
    if isinstance(command, JoinMatch) and live.match.active_seat_of(command.player_id) is not None:
        return False
    return live.history.answer_to(command.player_id, command.request_id) is None
