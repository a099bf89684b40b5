"""LobbyService: how matches are made, found, joined and started."""

import asyncio
from weakref import WeakValueDictionary

from structlog.contextvars import bind_contextvars

from durak_server.api.callers import Caller, Scope
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed, invalid_field, match_not_found, refused
from durak_server.api.fresh_ids import MatchIds, bot_name, fresh_bot_id, fresh_invite_code
from durak_server.api.gate import Gate
from durak_server.api.requests import (
    checked_invite_code,
    checked_match_id,
    checked_request_id,
    checked_seed,
    page_request,
    statuses_from_wire,
)
from durak_server.api.wire_enums import BOT_LEVELS, PRESETS, SPECTATORS, VISIBILITIES
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_rules import options_from_wire, rules_from_wire
from durak_server.matches import (
    AddBot,
    BotLevel,
    CreateMatch,
    JoinMatch,
    LeaveMatch,
    MatchRefusal,
    PlayerCommand,
    PlayerJoined,
    RemovePlayer,
    Spectators,
    StartMatch,
    Visibility,
    WantRematch,
    summary,
)
from durak_server.pb.durak.v1 import error_pb2, match_pb2
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.pb.durak.v1.lobby_service_pb2_grpc import LobbyServiceServicer
from durak_server.rules import Preset
from durak_server.runtime import LiveMatches, MatchMissing, Outcome
from durak_server.store import EventStore, MatchQuery


class LobbyService(LobbyServiceServicer):
    """Makes, finds, joins and starts matches."""

    def __init__(
        self,
        gate: Gate,
        live: LiveMatches,
        store: EventStore,
        matches_per_player: int,
        match_ids: MatchIds,
    ) -> None:
        self._gate = gate
        self._live = live
        self._store = store
        self._matches_per_player = matches_per_player
        self._match_ids = match_ids
        self._sitting_down: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def CreateMatch(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        """Make a match."""
        caller = await self._gate.enter(context)
        command = _create_command(request, caller, self._match_ids)
        outcome = await self._sit_down(caller, command.match_id, command)
        return pb.CreateMatchResponse(
            info=_info(outcome, caller), seat=0, commitment=_commitment(outcome)
        )

    async def JoinMatch(  # noqa: N802
        self, request: pb.JoinMatchRequest, context: Context
    ) -> pb.JoinMatchResponse:
        """Take a seat."""
        caller = await self._gate.enter(context)
        request_id = checked_request_id(request.request_id)
        match_id, code = await self._which(request)
        seat = request.seat if request.HasField("seat") else None
        seed = checked_seed(request.seed, shortest=0)
        command = JoinMatch(caller.player_id, request_id, caller.name, seat, code, seed)
        outcome = await self._sit_down(caller, match_id, command)
        taken = outcome.match.seat_of(caller.player_id)
        assert taken is not None, "who joined has a seat"
        return pb.JoinMatchResponse(
            info=_info(outcome, caller), seat=taken, commitment=_commitment(outcome)
        )

    async def LeaveMatch(  # noqa: N802
        self, request: pb.LeaveMatchRequest, context: Context
    ) -> pb.LeaveMatchResponse:
        """Give the seat up."""
        caller = await self._gate.enter(context)
        command = LeaveMatch(
            caller.player_id, checked_request_id(request.request_id), request.expected_sequence
        )
        outcome = await self._do(checked_match_id(request.match_id), command)
        return pb.LeaveMatchResponse(sequence=outcome.last)

    async def StartMatch(  # noqa: N802
        self, request: pb.StartMatchRequest, context: Context
    ) -> pb.StartMatchResponse:
        """Close the seats and deal."""
        caller = await self._gate.enter(context)
        command = StartMatch(
            caller.player_id, checked_request_id(request.request_id), request.expected_sequence
        )
        outcome = await self._do(checked_match_id(request.match_id), command)
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
        outcome = await self._do(match_id, command)
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
        outcome = await self._do(checked_match_id(request.match_id), command)
        return pb.RemovePlayerResponse(info=_info(outcome, caller))

    async def Rematch(  # noqa: N802
        self, request: pb.RematchRequest, context: Context
    ) -> pb.RematchResponse:
        """Offer another match, or accept it."""
        caller = await self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        command = WantRematch(caller.player_id, checked_request_id(request.request_id))
        await self._refuse_rematch_too_many(caller, match_id)
        await self._do(match_id, command)
        return pb.RematchResponse(next_match_id=await self._live.rematch_of(match_id))

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """List public matches."""
        caller = await self._gate.enter(context, Scope.WATCH)
        page = await self._store.list_public(
            _query(request.filter), page_request(request.page_size, request.page_token)
        )
        return pb.ListMatchesResponse(
            matches=[wire_info(found, caller.player_id) for found in page.matches],
            next_page_token=page.next_token,
        )

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
            matches=[wire_info(found, caller.player_id) for found in page.matches],
            next_page_token=page.next_token,
        )

    async def _sit_down(self, caller: Caller, match_id: str, command: PlayerCommand) -> Outcome:
        # One at a time for each player: his matches are counted, and then there is one more.
        lock = self._sitting_down.setdefault(caller.player_id, asyncio.Lock())
        async with lock:
            await self._refuse_one_too_many(caller, match_id, command.request_id)
            return await self._do(match_id, command)

    async def _do(self, match_id: str, command: PlayerCommand) -> Outcome:
        bind_contextvars(match=match_id)
        answer = await self._live.submit(match_id, command)
        if isinstance(answer, MatchRefusal):
            raise refused(answer)
        return answer

    async def _which(self, request: pb.JoinMatchRequest) -> tuple[str, str]:
        """Return the id of the match to join, and the code if it was named by that."""
        if request.WhichOneof("which") == "match_id":
            return checked_match_id(request.match_id), ""
        if request.WhichOneof("which") is None:
            raise invalid_field("which", "match_id or invite_code must be given")
        code = checked_invite_code(request.invite_code)
        match_id = await self._store.find_invite(code)
        if match_id is None:
            raise match_not_found()
        return match_id, code

    async def _refuse_one_too_many(self, caller: Caller, match_id: str, request_id: str) -> None:
        """Refuse who sits at too many matches, unless he asks for nothing new."""
        running = await self._store.count_running(caller.player_id)
        if running < self._matches_per_player:
            return
        if not await self._is_known_to(match_id, caller.player_id, request_id):
            raise self._too_many(running)

    async def _refuse_rematch_too_many(self, caller: Caller, match_id: str) -> None:
        """Refuse who sits at too many matches, unless he has said before that he wants this one."""
        running = await self._store.count_running(caller.player_id)
        match = (await self._live.find(match_id)).match
        if running >= self._matches_per_player and (
            match.active_seat_of(caller.player_id) not in match.rematch_wanted_by
        ):
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


def _create_command(
    request: pb.CreateMatchRequest, caller: Caller, match_ids: MatchIds
) -> CreateMatch:
    request_id = checked_request_id(request.request_id)
    preset = PRESETS.member(request.preset, "preset", Preset.PODKIDNOY)
    if request.match_id:
        match_id = checked_match_id(request.match_id)
    else:
        match_id = match_ids.fresh(caller.player_id, request_id)
    return CreateMatch(
        player_id=caller.player_id,
        request_id=request_id,
        name=caller.name,
        match_id=match_id,
        invite_code=fresh_invite_code(),
        preset=preset,
        rules=rules_from_wire(preset, request.rules),
        visibility=VISIBILITIES.member(request.visibility, "visibility", Visibility.PUBLIC),
        spectators=SPECTATORS.member(request.spectators, "spectators", Spectators.LIVE),
        start_when_full=request.start_when_full,
    )


def _query(filter_: pb.MatchFilter) -> MatchQuery:
    return MatchQuery(
        statuses=statuses_from_wire(filter_.statuses, "filter.statuses"),
        presets=frozenset(
            PRESETS.member(number, f"filter.presets[{index}]")
            for index, number in enumerate(filter_.presets)
        ),
        options=tuple(options_from_wire(filter_.rules).items()),
        has_free_seat=filter_.has_free_seat,
    )


def _info(outcome: Outcome, caller: Caller) -> match_pb2.MatchInfo:
    return wire_info(summary(outcome.match), caller.player_id)


def _commitment(outcome: Outcome) -> bytes:
    """Return what the next shuffle is committed to; empty if none is to come."""
    shuffle = outcome.match.next_shuffle
    return shuffle.commitment if shuffle else b""


def _seat_taken(outcome: Outcome) -> int:
    for record in outcome.seen(None):
        if isinstance(record.event, PlayerJoined):
            return record.event.seat
    raise AssertionError("adding a bot seats one")
