"""Players who want the same rules meet at one match."""

import asyncio
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed
from durak_server.api.sitting_down import SittingDown
from durak_server.matches import CreateMatch, JoinMatch
from durak_server.pb.durak.v1 import error_pb2
from durak_server.rules import RuleSet
from durak_server.runtime import MatchBusy, MatchMissing, Outcome
from durak_server.store import EventStore

_MOST_TRIED: Final = 50
"""Matches looked at, oldest first, before a new one is made."""

# The match is not, or no longer, for him: there may be another.
_PASSED_BY: Final = frozenset(
    {
        error_pb2.ERROR_REASON_MATCH_NOT_FOUND,
        error_pb2.ERROR_REASON_MATCH_FULL,
        error_pb2.ERROR_REASON_MATCH_STARTED,
        error_pb2.ERROR_REASON_MATCH_OVER,
        error_pb2.ERROR_REASON_PLAYER_REMOVED,
    }
)


@dataclass(frozen=True, slots=True)
class QuickSeat:
    """Where a player was seated, and whether the match was made for him."""

    outcome: Outcome
    is_new: bool


class QuickMatches:
    """Seats players where others wait, else at new matches where they wait themselves."""

    def __init__(self, seats: SittingDown, store: EventStore) -> None:
        self._seats = seats
        self._store = store
        self._locks: WeakValueDictionary[RuleSet, asyncio.Lock] = WeakValueDictionary()

    async def seat(
        self, caller: Caller, wanted: CreateMatch, seed: bytes, context: Context
    ) -> QuickSeat:
        """Seat a player at the oldest match with the rules wanted, else make the one wanted.

        Raises:
            CallFailed: he sits at too many matches, such rules cannot be played, or matches are
                made too fast from his address.
        """
        # One at a time: two who find nobody would each make a match and wait for ever.
        async with self._locks.setdefault(wanted.rules, asyncio.Lock()):
            known = await self._store.find_seating(caller.player_id, wanted.request_id)
            waiting = await self._store.waiting_matches(wanted.rules, caller.player_id, _MOST_TRIED)
            for match_id in (known,) if known else waiting:
                if match_id == wanted.match_id:
                    break
                outcome = await self._joined(caller, match_id, wanted.request_id, seed)
                if outcome:
                    return QuickSeat(outcome, is_new=False)
            outcome = await self._seats.make(caller, wanted, context)
            return QuickSeat(outcome, is_new=True)

    async def _joined(
        self, caller: Caller, match_id: str, request_id: str, seed: bytes
    ) -> Outcome | None:
        """Return what came of joining a match; None if it is not for him after all."""
        command = JoinMatch(caller.player_id, request_id, caller.name, seed=seed)
        try:
            return await self._seats.sit_down(caller, match_id, command)
        except (MatchMissing, MatchBusy):
            return None
        except CallFailed as failure:
            if failure.reason not in _PASSED_BY:
                raise
            return None
