"""LobbyService: how matches are made, found, joined and started."""

from dataclasses import dataclass

from durak_server.api.callers import Caller, Scope
from durak_server.api.calls import Context
from durak_server.api.follow import StreamPace
from durak_server.api.fresh_ids import MatchIds, bot_name, fresh_bot_id
from durak_server.api.gate import Gate
from durak_server.api.lobby_requests import (
    create_command,
    match_query,
    quick_command,
    watched_query,
)
from durak_server.api.lobby_stream import LobbyStream
from durak_server.api.passwords import Passwords
from durak_server.api.quick_match import QuickMatches
from durak_server.api.requests import (
    checked_match_id,
    checked_request_id,
    checked_seed,
    page_request,
    statuses_from_wire,
)
from durak_server.api.sitting_down import SittingDown
from durak_server.api.wire_enums import BOT_LEVELS
from durak_server.api.wire_matches import wire_info, wire_listed
from durak_server.matches import (
    AddBot,
    Admission,
    BotLevel,
    JoinMatch,
    LeaveMatch,
    PlayerJoined,
    RemovePlayer,
    StartMatch,
    WantRematch,
    summary,
)
from durak_server.observe.metrics import ProcessMetrics
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.pb.durak.v1 import match_pb2
from durak_server.pb.durak.v1.lobby_service_pb2_grpc import LobbyServiceServicer
from durak_server.runtime import LiveMatches, Outcome
from durak_server.store import EventStore


@dataclass(frozen=True, slots=True)
class LobbySurroundings:
    """What the lobby works with."""

    gate: Gate
    live: LiveMatches
    store: EventStore
    pace: StreamPace
    metrics: ProcessMetrics
    match_ids: MatchIds
    passwords: Passwords
    matches_per_player: int
    """At how many open and running matches one player may sit."""


class LobbyService(LobbyServiceServicer):
    """Makes, finds, joins and starts matches."""

    def __init__(self, around: LobbySurroundings) -> None:
        self._around = around
        self._gate = around.gate
        self._live = around.live
        self._store = around.store
        self._seats = SittingDown(around.live, around.store, around.matches_per_player)
        self._quick = QuickMatches(self._seats, around.store)

    async def CreateMatch(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        """Make a match."""
        caller = await self._gate.enter(context)
        password = await self._around.passwords.new_key(request.password, caller, context)
        admission = Admission(password=password)
        command = create_command(request, caller, self._around.match_ids, admission)
        outcome = await self._seats.sit_down(caller, command.match_id, command)
        return pb.CreateMatchResponse(
            info=_info(outcome, caller), seat=0, commitment=_commitment(outcome)
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
        key = b""
        if request.password and not code:
            match = (await self._live.find(match_id)).match
            key = await self._around.passwords.key_shown(request.password, match, caller, context)
        command = JoinMatch(caller.player_id, request_id, caller.name, seat, code, seed, key)
        outcome = await self._seats.sit_down(caller, match_id, command)
        return pb.JoinMatchResponse(
            info=_info(outcome, caller),
            seat=_seat_of(outcome, caller),
            commitment=_commitment(outcome),
        )

    async def QuickMatch(  # noqa: N802
        self, request: pb.QuickMatchRequest, context: Context
    ) -> pb.QuickMatchResponse:
        """Take a seat at whatever match of these rules."""
        caller = await self._gate.enter(context)
        wanted = quick_command(request, caller, self._around.match_ids)
        seed = checked_seed(request.seed, shortest=0)
        found = await self._quick.seat(caller, wanted, seed)
        return pb.QuickMatchResponse(
            info=_info(found.outcome, caller),
            seat=_seat_of(found.outcome, caller),
            commitment=_commitment(found.outcome),
            is_new=found.is_new,
        )

    async def LeaveMatch(  # noqa: N802
        self, request: pb.LeaveMatchRequest, context: Context
    ) -> pb.LeaveMatchResponse:
        """Give the seat up."""
        caller = await self._gate.enter(context)
        command = LeaveMatch(
            caller.player_id, checked_request_id(request.request_id), request.expected_sequence
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.LeaveMatchResponse(sequence=outcome.last)

    async def StartMatch(  # noqa: N802
        self, request: pb.StartMatchRequest, context: Context
    ) -> pb.StartMatchResponse:
        """Close the seats and deal."""
        caller = await self._gate.enter(context)
        command = StartMatch(
            caller.player_id, checked_request_id(request.request_id), request.expected_sequence
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.StartMatchResponse(info=_info(outcome, caller))

    async def AddBot(  # noqa: N802
        self, request: pb.AddBotRequest, context: Context
    ) -> pb.AddBotResponse:
        """Seat a house bot."""
        caller = await self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        seats = (await self._live.find(match_id)).match.seats
        command = AddBot(
            player_id=caller.player_id,
            request_id=checked_request_id(request.request_id),
            bot_id=fresh_bot_id(),
            name=bot_name({player.name for player in seats if player}),
            level=BOT_LEVELS.member(request.level, "level", BotLevel.LOWEST),
            seat=request.seat if request.HasField("seat") else None,
            expected_sequence=request.expected_sequence,
        )
        outcome = await self._seats.do(match_id, command)
        return pb.AddBotResponse(info=_info(outcome, caller), seat=_seat_taken(outcome))

    async def RemovePlayer(  # noqa: N802
        self, request: pb.RemovePlayerRequest, context: Context
    ) -> pb.RemovePlayerResponse:
        """Take a seat from somebody."""
        caller = await self._gate.enter(context)
        command = RemovePlayer(
            caller.player_id,
            checked_request_id(request.request_id),
            request.player_id,
            request.expected_sequence,
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.RemovePlayerResponse(info=_info(outcome, caller))

    async def Rematch(  # noqa: N802
        self, request: pb.RematchRequest, context: Context
    ) -> pb.RematchResponse:
        """Offer another match, or accept it."""
        caller = await self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        command = WantRematch(caller.player_id, checked_request_id(request.request_id))
        await self._seats.refuse_rematch_too_many(caller, match_id)
        await self._seats.do(match_id, command)
        return pb.RematchResponse(next_match_id=await self._live.rematch_of(match_id))

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """List public matches."""
        caller = await self._gate.enter(context, Scope.WATCH)
        page = await self._store.list_public(
            match_query(request.filter), page_request(request.page_size, request.page_token)
        )
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
            self._gate.stream_of(caller),
            self._live.lobby.watch(query) as watcher,
            self._around.metrics.lobby_streams.track_inprogress(),
        ):
            stream = LobbyStream(caller, watcher, self._around.pace, self._around.metrics)
            await stream.serve(self._store, query, context)

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
        return pb.ListMyMatchesResponse(
            matches=[wire_listed(found, caller.player_id) for found in page.matches],
            next_page_token=page.next_token,
        )


def _info(outcome: Outcome, caller: Caller) -> match_pb2.MatchInfo:
    return wire_info(summary(outcome.match), caller.player_id)


def _seat_of(outcome: Outcome, caller: Caller) -> int:
    seat = outcome.match.seat_of(caller.player_id)
    assert seat is not None, "who joined has a seat"
    return seat


def _commitment(outcome: Outcome) -> bytes:
    """Return what the next shuffle is committed to; empty if none is to come."""
    shuffle = outcome.match.next_shuffle
    return shuffle.commitment if shuffle else b""


def _seat_taken(outcome: Outcome) -> int:
    for record in outcome.seen(None):
        if isinstance(record.event, PlayerJoined):
            return record.event.seat
    raise AssertionError("adding a bot seats one")
