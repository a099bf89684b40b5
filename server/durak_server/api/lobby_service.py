"""LobbyService: how matches are made, found, joined and started."""

from contextlib import suppress
from typing import Final

from durak_server.api.callers import Scope
from durak_server.api.calls import Context
from durak_server.api.lobby_requests import (
    admission_wanted,
    create_command,
    match_query,
    quick_command,
    watched_query,
)
from durak_server.api.lobby_stream import LobbyStream
from durak_server.api.lobby_surroundings import LobbySurroundings
from durak_server.api.open_match_calls import OpenMatchCalls
from durak_server.api.outcomes import match_info, next_commitment, seat_of_caller
from durak_server.api.passwords import checked_password
from durak_server.api.quick_match import QuickMatches
from durak_server.api.requests import (
    checked_match_id,
    checked_request_id,
    checked_seed,
    page_request,
    statuses_from_wire,
)
from durak_server.api.stream_count import StreamCount
from durak_server.api.until_over import hold_until_over
from durak_server.api.wire_matches import wire_listed
from durak_server.matches import (
    Admission,
    JoinMatch,
    WantRematch,
)
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.runtime import MatchMissing

_MOST_STREAMS: Final = 10
"""To the lobby, of one player: nobody shall take the places of all others."""


class LobbyService(OpenMatchCalls):
    """Makes, finds, joins and starts matches."""

    def __init__(self, around: LobbySurroundings) -> None:
        super().__init__(around)
        self._store = around.store
        self._usual = Admission(invite_lifetime=around.invite_lifetime)
        self._quick = QuickMatches(self._seats, around.store)
        self._streams = StreamCount("lobby_streams_per_player", _MOST_STREAMS)

    async def CreateMatch(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        """Make a match."""
        caller = await self._gate.enter(context)
        password = await self._around.passwords.new_key(request.password, caller, context)
        admission = admission_wanted(request, password, self._around.invite_lifetime)
        command = create_command(request, caller, self._around.match_ids, admission)
        outcome = await self._seats.make(caller, command, context)
        return pb.CreateMatchResponse(
            info=match_info(outcome, caller), seat=0, commitment=next_commitment(outcome)
        )

    async def JoinMatch(  # noqa: N802
        self, request: pb.JoinMatchRequest, context: Context
    ) -> pb.JoinMatchResponse:
        """Take a seat."""
        caller = await self._gate.enter(context)
        request_id = checked_request_id(request.request_id)
        match_id, code = await self._seats.which(request)
        seat = request.seat if request.HasField("seat") else None
        seed = checked_seed(request.seed, shortest=0)
        password = checked_password(request.password)
        key = b""
        if password and not code:
            with suppress(MatchMissing):  # whatever else is wrong is told first, as without one
                match = (await self._live.find(match_id)).match
                key = await self._around.passwords.key_shown(password, match, caller, context)
        now = self._live.now()
        command = JoinMatch(caller.player_id, request_id, caller.name, seat, code, seed, key, now)
        outcome = await self._seats.sit_down(caller, match_id, command)
        return pb.JoinMatchResponse(
            info=match_info(outcome, caller),
            seat=seat_of_caller(outcome, caller),
            commitment=next_commitment(outcome),
        )

    async def QuickMatch(  # noqa: N802
        self, request: pb.QuickMatchRequest, context: Context
    ) -> pb.QuickMatchResponse:
        """Take a seat at whatever match of these rules."""
        caller = await self._gate.enter(context)
        wanted = quick_command(request, caller, self._around.match_ids, self._usual)
        seed = checked_seed(request.seed, shortest=0)
        found = await self._quick.seat(caller, wanted, seed, context)
        return pb.QuickMatchResponse(
            info=match_info(found.outcome, caller),
            seat=seat_of_caller(found.outcome, caller),
            commitment=next_commitment(found.outcome),
            is_new=found.is_new,
        )

    async def Rematch(  # noqa: N802
        self, request: pb.RematchRequest, context: Context
    ) -> pb.RematchResponse:
        """Offer another match, or accept it."""
        caller = await self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        command = WantRematch(caller.player_id, checked_request_id(request.request_id))
        next_match_id = await self._seats.rematch(caller, command, match_id, context)
        if next_match_id:
            await self._seats.unseat_banned(next_match_id)
        return pb.RematchResponse(next_match_id=next_match_id)

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """List public matches."""
        caller = await self._gate.enter(context, Scope.WATCH)
        page = await self._store.list_public(
            match_query(request.filter), page_request(request.page_size, request.page_token)
        )
        self._around.readings.count_page(caller, context, page)
        return pb.ListMatchesResponse(
            matches=[wire_listed(found, caller.player_id) for found in page.matches],
            next_page_token=page.next_token,
        )

    async def WatchLobby(  # type: ignore[override]  # noqa: N802  (writes to the context)
        self, request: pb.WatchLobbyRequest, context: Context
    ) -> None:
        """Tell of public matches; the messages are written to the context."""
        caller = await self._gate.enter(context, Scope.WATCH)
        query = watched_query(request.filter)
        with (
            self._gate.stream_of(caller, context),
            self._live.lobby.watch(query) as watcher,
        ):
            hold_until_over(self._around.watching.of_lobby(context))
            hold_until_over(self._streams.one_of(caller.player_id, "The player", " to the lobby"))
            hold_until_over(self._around.metrics.lobby_streams.track_inprogress())
            await LobbyStream(caller, watcher, self._around, context).serve(query)

    async def ListMyMatches(  # noqa: N802
        self, request: pb.ListMyMatchesRequest, context: Context
    ) -> pb.ListMyMatchesResponse:
        """List the caller's matches."""
        caller = await self._gate.enter(context, Scope.WATCH)
        page = await self._store.list_of_player(
            caller.player_id,
            page_request(request.page_size, request.page_token),
            statuses_from_wire(request.statuses, "statuses"),
        )
        self._around.readings.count_page(caller, context, page)
        return pb.ListMyMatchesResponse(
            matches=[wire_listed(found, caller.player_id) for found in page.matches],
            next_page_token=page.next_token,
        )
