"""How a move is made, by a call of its own or on a stream."""

from structlog.contextvars import bind_contextvars

from durak_server.api.callers import Caller
from durak_server.api.failures import refused
from durak_server.api.requests import checked_match_id, checked_request_id
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_moves import move_from_wire
from durak_server.matches import MakeMove, MatchRefusal
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import LiveMatches


async def make_move(
    live: LiveMatches, caller: Caller, request: pb.MakeMoveRequest
) -> pb.MakeMoveResponse:
    """Make a move and return what it caused, as the caller may see it.

    Raises:
        CallFailed: the request is malformed, or the match refuses.
        RuntimeRefusal, StoreError, LogLost: see `LiveMatches.submit`.
    """
    match_id = checked_match_id(request.match_id)
    command = MakeMove(
        caller.player_id,
        checked_request_id(request.request_id),
        move_from_wire(request.move),
        request.expected_sequence,
    )
    bind_contextvars(match=match_id)
    outcome = await live.submit(match_id, command)
    if isinstance(outcome, MatchRefusal):
        raise refused(outcome)
    seat = outcome.match.active_seat_of(caller.player_id)
    bind_contextvars(seat=seat)
    return pb.MakeMoveResponse(events=wire_events(outcome.seen(seat)), sequence=outcome.last)
