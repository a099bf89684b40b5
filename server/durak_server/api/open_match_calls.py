"""The calls of LobbyService about a match at which one sits: to fill, leave and start it."""

from durak_server.api.calls import Context
from durak_server.api.fresh_ids import bot_name, fresh_bot_id, fresh_invite_code
from durak_server.api.lobby_requests import invite_lifetime
from durak_server.api.lobby_surroundings import LobbySurroundings
from durak_server.api.outcomes import match_info, seat_of_bot
from durak_server.api.requests import checked_match_id, checked_request_id
from durak_server.api.sitting_down import SittingDown
from durak_server.api.wire_enums import BOT_LEVELS
from durak_server.matches import (
    AddBot,
    BotLevel,
    LeaveMatch,
    ReleaseSeats,
    RemovePlayer,
    RenewInvite,
    SetReady,
    StartMatch,
)
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from durak_server.pb.durak.v1.lobby_service_pb2_grpc import LobbyServiceServicer


class OpenMatchCalls(LobbyServiceServicer):
    """Serves them; `LobbyService` adds the others."""

    def __init__(self, around: LobbySurroundings) -> None:
        self._around = around
        self._gate = around.gate
        self._live = around.live
        self._seats = SittingDown(
            around.gate,
            around.live,
            around.store,
            around.table_pace,
            around.made,
            around.matches_per_player,
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
        return pb.StartMatchResponse(info=match_info(outcome, caller))

    async def AddBot(  # noqa: N802
        self, request: pb.AddBotRequest, context: Context
    ) -> pb.AddBotResponse:
        """Seat a house bot."""
        caller = await self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        request_id = checked_request_id(request.request_id)
        level = BOT_LEVELS.member(request.level, "level", BotLevel.LOWEST)
        seats = (await self._live.find(match_id)).match.seats
        command = AddBot(
            player_id=caller.player_id,
            request_id=request_id,
            bot_id=fresh_bot_id(),
            name=bot_name({player.name for player in seats if player}),
            level=level,
            seat=request.seat if request.HasField("seat") else None,
            expected_sequence=request.expected_sequence,
        )
        outcome = await self._seats.do(match_id, command)
        return pb.AddBotResponse(info=match_info(outcome, caller), seat=seat_of_bot(outcome))

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
        return pb.RemovePlayerResponse(info=match_info(outcome, caller))

    async def RenewInvite(  # noqa: N802
        self, request: pb.RenewInviteRequest, context: Context
    ) -> pb.RenewInviteResponse:
        """Make another invite code."""
        caller = await self._gate.enter(context)
        command = RenewInvite(
            caller.player_id,
            checked_request_id(request.request_id),
            fresh_invite_code(),
            invite_lifetime(request, self._around.invite_lifetime),
            request.expected_sequence,
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.RenewInviteResponse(info=match_info(outcome, caller))

    async def SetReady(  # noqa: N802
        self, request: pb.SetReadyRequest, context: Context
    ) -> pb.SetReadyResponse:
        """Say whether the caller is ready."""
        caller = await self._gate.enter(context)
        command = SetReady(
            caller.player_id,
            checked_request_id(request.request_id),
            request.is_ready,
            request.expected_sequence,
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.SetReadyResponse(info=match_info(outcome, caller))

    async def ReleaseSeats(  # noqa: N802
        self, request: pb.ReleaseSeatsRequest, context: Context
    ) -> pb.ReleaseSeatsResponse:
        """Reserve no seats any more."""
        caller = await self._gate.enter(context)
        command = ReleaseSeats(
            caller.player_id, checked_request_id(request.request_id), request.expected_sequence
        )
        outcome = await self._seats.do(checked_match_id(request.match_id), command)
        return pb.ReleaseSeatsResponse(info=match_info(outcome, caller))
