"""How an operator keeps a player out, and lets him in again."""

from datetime import datetime, timedelta
from typing import Final

from durak_server.api.failures import invalid_field
from durak_server.api.gate import Gate, player_banned
from durak_server.api.requests import checked_player_id, operator_text
from durak_server.api.wire_times import wire_time
from durak_server.matches import LeaveMatch, MatchRefusal, MatchStatus
from durak_server.observe.logs import logger
from durak_server.pb.durak.v1 import admin_service_pb2 as pb
from durak_server.runtime import Bans, LiveMatches, LogLost, RuntimeRefusal
from durak_server.store import Ban, EventStore, PageRequest, StoreError

_log = logger(__name__)
_LONGEST: Final = timedelta(days=36_500)
_LARGEST_PAGE: Final = 1_000
_MOST_MATCHES: Final = 100


class Banning:
    """Bans players: their calls are refused, their streams end, their seats are given up."""

    def __init__(self, gate: Gate, live: LiveMatches, store: EventStore, bans: Bans) -> None:
        self._gate = gate
        self._live = live
        self._store = store
        self._bans = bans

    async def ban(self, ban: Ban) -> pb.BanPlayerResponse:
        """Ban a player; to do it again is harmless, and gives up what was not given up before.

        Raises:
            StoreError: the ban could not be kept, or his matches cannot be read just now.
        """
        is_known = await self._knows(ban.player_id)
        await self._bans.put(ban)
        ended = self._gate.end_streams_of(ban.player_id, player_banned(ban))
        left = [await self._leave(match_id, ban) for match_id in await self._seats(ban.player_id)]
        return pb.BanPlayerResponse(
            ban=_wire_ban(ban),
            streams_ended=ended,
            seats_given_up=sum(left),
            is_known=is_known,
        )

    async def lift(self, player_id: str) -> pb.UnbanPlayerResponse:
        """Let a player in again.

        Raises:
            StoreError: that could not be kept.
        """
        return pb.UnbanPlayerResponse(was_banned=await self._bans.lift(player_id))

    def listed(self, request: pb.ListBansRequest) -> pb.ListBansResponse:
        """Return a page of the bans in force, in the order of the players' ids."""
        if request.page_size > _LARGEST_PAGE:
            raise invalid_field("page_size", f"must be 0 to {_LARGEST_PAGE}")
        size = request.page_size or _LARGEST_PAGE
        rest = [ban for ban in self._bans.in_force() if ban.player_id > request.page_token]
        return pb.ListBansResponse(
            bans=[_wire_ban(ban) for ban in rest[:size]],
            next_page_token=rest[size - 1].player_id if len(rest) > size else "",
        )

    async def _knows(self, player_id: str) -> bool:
        """Tell whether a player has been here, as far as that is kept."""
        if self._gate.has_seen(player_id):
            return True
        page = await self._store.list_of_player(player_id, PageRequest(1), frozenset(MatchStatus))
        return bool(page.matches)

    async def _seats(self, player_id: str) -> list[str]:
        """Return all unfinished matches at which a player sits."""
        found, token = list[str](), ""
        while True:
            page = await self._store.list_of_player(player_id, PageRequest(_MOST_MATCHES, token))
            found += [match.match_id for match in page.matches]
            token = page.next_token
            if not token:
                return found

    async def _leave(self, match_id: str, ban: Ban) -> bool:
        """Give up the seat in one match; whatever is wrong with that, the others follow."""
        try:
            outcome = await self._live.submit(match_id, LeaveMatch(ban.player_id, ""))
        except (RuntimeRefusal, StoreError, LogLost) as error:
            _log.warning("a banned player keeps a seat", match=match_id, error=type(error).__name__)
            return False
        return not isinstance(outcome, MatchRefusal)


def checked_ban(request: pb.BanPlayerRequest, by: str, now: datetime) -> Ban:
    """Return the ban that is asked for.

    Raises:
        CallFailed: a field is malformed.
    """
    player_id = checked_player_id(request.player_id)
    text = operator_text(request.text)
    if not request.HasField("duration"):
        return Ban(player_id, text, by, now)
    seconds = request.duration.seconds
    if not 0 < seconds <= _LONGEST.total_seconds():
        raise invalid_field("duration", f"must be 1 second to {_LONGEST.days} days")
    return Ban(player_id, text, by, now, now + timedelta(seconds=seconds))


def _wire_ban(ban: Ban) -> pb.Ban:
    wire = pb.Ban(
        player_id=ban.player_id,
        text=ban.text,
        banned_by=ban.banned_by,
        banned_at=wire_time(ban.banned_at),
    )
    if ban.until:
        wire.until.CopyFrom(wire_time(ban.until))
    return wire
