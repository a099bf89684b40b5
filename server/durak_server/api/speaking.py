"""How a player says something, by a call of its own or on a stream."""

from dataclasses import dataclass
from datetime import timedelta

from structlog.contextvars import bind_contextvars

from durak_server.api.callers import Caller
from durak_server.api.failures import refused
from durak_server.api.rate_limit import RateLimit
from durak_server.api.requests import checked_match_id, checked_request_id
from durak_server.api.wire_speech import speech_from_wire
from durak_server.matches import MatchRefusal, Say
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import LiveMatches


@dataclass(frozen=True, slots=True)
class TalkLimits:
    """How much players may talk."""

    pace: RateLimit
    """How fast each player may speak."""
    longest_text: int
    """Characters of free words."""
    afterwards: timedelta
    """How long after the end of a match its players may still talk."""


async def say(
    live: LiveMatches, limits: TalkLimits, caller: Caller, request: pb.SayRequest
) -> pb.SayResponse:
    """Say something at the table.

    Raises:
        CallFailed: the request is malformed, comes too soon after others, or the match refuses.
        RuntimeRefusal, StoreError, LogLost: see `LiveMatches.submit`.
    """
    match_id = checked_match_id(request.match_id)
    request_id = checked_request_id(request.request_id)
    speech = speech_from_wire(request.speech, limits.longest_text)
    bind_contextvars(match=match_id)
    found = await live.find(match_id)
    is_seated = found.match.active_seat_of(caller.player_id) is not None
    # Others are refused anyhow, and by their pace they would learn of a match that hides.
    if is_seated and not found.history.answer_to(caller.player_id, request_id):
        limits.pace.admit(caller.player_id)
    ended_since = live.now() - limits.afterwards
    outcome = await live.submit(match_id, Say(caller.player_id, request_id, speech, ended_since))
    if isinstance(outcome, MatchRefusal):
        raise refused(outcome)
    return pb.SayResponse(sequence=outcome.last)
