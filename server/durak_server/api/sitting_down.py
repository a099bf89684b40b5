"""How a player gets a seat, and at how many matches he may have one."""

import asyncio
from contextlib import suppress
from weakref import WeakValueDictionary

from structlog.contextvars import bind_contextvars

from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed, invalid_field, match_not_found, refused
from durak_server.api.gate import Gate
from durak_server.api.matches_made import MatchesMade
from durak_server.api.requests import checked_invite_code, checked_match_id
from durak_server.api.table_pace import TablePace
from durak_server.matches import (
    CreateMatch,
    LeaveMatch,
    MatchRefusal,
    PlayerCommand,
    WantRematch,
    summary,
)
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.runtime import LiveMatches, MatchMissing, Outcome
from durak_server.store import EventStore


class SittingDown:
    """Gives commands to matches, those that seat somebody one at a time for each player."""

    def __init__(
        self,
        gate: Gate,
        live: LiveMatches,
        store: EventStore,
        pace: TablePace,
        made: MatchesMade,
        matches_per_player: int,
    ) -> None:
        self._gate = gate
        self._live = live
        self._store = store
        self._pace = pace
        self._made = made
        self._matches_per_player = matches_per_player
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def sit_down(self, caller: Caller, match_id: str, command: PlayerCommand) -> Outcome:
        """Do a command that seats the caller.

        Raises:
            CallFailed: the match refuses it, he sits at too many, he comes and goes too
                fast, or he was banned meanwhile.
        """
        # One at a time: his matches are counted, and then there is one more.
        async with self._locks.setdefault(caller.player_id, asyncio.Lock()):
            await self._refuse_one_too_many(caller, match_id, command.request_id)
            outcome = await self.do(match_id, command)
        await self._unseat_if_banned(caller.player_id, match_id)
        return outcome

    async def make(self, caller: Caller, command: CreateMatch, context: Context) -> Outcome:
        """Make a match and seat the caller there.

        Raises:
            CallFailed: as `sit_down`, or matches are made too fast from his address.
        """
        match_id = command.match_id
        if await self._is_known_to(match_id, caller.player_id, command.request_id):
            return await self.sit_down(caller, match_id, command)
        with self._made.one_more(context):
            return await self.sit_down(caller, match_id, command)

    async def rematch(
        self, caller: Caller, command: WantRematch, match_id: str, context: Context
    ) -> str:
        """Offer a rematch or accept it; return its id, empty while not all want it.

        Raises:
            CallFailed: the match refuses it, he sits at too many, or matches are made too fast
                from his address.
        """
        if not await self._is_first_wish(caller.player_id, match_id):
            await self.do(match_id, command)
            return await self._live.rematch_of(match_id)
        running = await self._store.count_running(caller.player_id)
        if running >= self._matches_per_player:
            raise self._too_many(running)
        with self._made.one_more(context) as call:
            await self.do(match_id, command)
            next_match_id = await self._live.rematch_of(match_id)
            call.is_void = not next_match_id
        return next_match_id

    async def do(self, match_id: str, command: PlayerCommand) -> Outcome:
        """Do a command.

        Raises:
            CallFailed: the match refuses it, or the player changes this match too fast.
        """
        bind_contextvars(match=match_id)
        answer = await self._pace.submit(self._live, match_id, command)
        if isinstance(answer, MatchRefusal):
            raise refused(answer)
        return answer

    async def unseat_banned(self, match_id: str) -> None:
        """Give up the seats of those who were banned before they had one here."""
        for player_id in summary((await self._live.find(match_id)).match).sitting:
            with suppress(CallFailed):
                await self._unseat_if_banned(player_id, match_id)

    async def which(self, request: pb.JoinMatchRequest) -> tuple[str, str]:
        """Return the id of the match to join, and the code if it was named by that.

        Raises:
            CallFailed: it is not named, or no match has the code.
        """
        if request.WhichOneof("which") == "match_id":
            return checked_match_id(request.match_id), ""
        if request.WhichOneof("which") is None:
            raise invalid_field("which", "match_id or invite_code must be given")
        code = checked_invite_code(request.invite_code)
        match_id = await self._store.find_invite(code)
        if match_id is None:
            raise match_not_found()
        return match_id, code

    async def _is_first_wish(self, player_id: str, match_id: str) -> bool:
        """Tell whether somebody with a seat has not asked for a rematch yet."""
        match = (await self._live.find(match_id)).match
        seat = match.active_seat_of(player_id)
        # Who has no seat is refused by the match, which perhaps hides from him.
        return seat is not None and seat not in match.rematch_wanted_by

    async def _unseat_if_banned(self, player_id: str, match_id: str) -> None:
        try:
            self._gate.refuse_banned(player_id)
        except CallFailed:
            # The ban gave up the seats that he had then, perhaps before he had this one.
            await self._live.submit(match_id, LeaveMatch(player_id, ""))
            raise

    async def _refuse_one_too_many(self, caller: Caller, match_id: str, request_id: str) -> None:
        """Refuse who sits at too many matches, unless he asks for nothing new."""
        running = await self._store.count_running(caller.player_id)
        if running < self._matches_per_player:
            return
        if not await self._is_known_to(match_id, caller.player_id, request_id):
            raise self._too_many(running)

    def _too_many(self, running: int) -> CallFailed:
        return CallFailed(
            error_pb2.ERROR_REASON_TOO_MANY_MATCHES,
            f"The player sits at {running} running matches;"
            f" {self._matches_per_player} are allowed.",
        )

    async def _is_known_to(self, match_id: str, player_id: str, request_id: str) -> bool:
        try:
            live = await self._live.find(match_id)
        except MatchMissing:
            return False
        is_seated = live.match.active_seat_of(player_id) is not None
        return is_seated or live.history.answer_to(player_id, request_id) is not None
