"""ReplayService: how a match is looked at afterwards, and at any earlier moment."""

import asyncio
from typing import Final

from durak_server.api.callers import Caller, Scope
from durak_server.api.calls import Context
from durak_server.api.failures import invalid_field, refused
from durak_server.api.gate import Gate
from durak_server.api.readings import Readings
from durak_server.api.requests import checked_match_id
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import (
    Match,
    MatchRefusal,
    format_game,
    game_of,
    match_view,
    past_viewer,
    refuse_not_over,
    refuse_watching,
    replay_viewer,
    summary,
)
from durak_server.pb.durak.v1 import replay_service_pb2 as pb
from durak_server.pb.durak.v1.replay_service_pb2_grpc import ReplayServiceServicer
from durak_server.runtime import LiveMatch, LiveMatches, SequenceAhead

_LARGEST_PAGE: Final = 1_000


class ReplayService(ReplayServiceServicer):
    """Shows what happened in matches."""

    def __init__(self, gate: Gate, live: LiveMatches, readings: Readings) -> None:
        self._gate = gate
        self._live = live
        self._readings = readings

    async def GetReplay(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.GetReplayRequest, context: Context
    ) -> pb.GetReplayResponse:
        """Give events, open once the match is over."""
        caller = await self._gate.enter(context, Scope.WATCH)
        if request.page_size > _LARGEST_PAGE:
            raise invalid_field("page_size", f"must be 0 to {_LARGEST_PAGE}")
        live = await self._watched(request.match_id, caller)
        match = live.outlook(caller.player_id).match
        after = _reached(match, request.after_sequence)
        last = min(after + (request.page_size or _LARGEST_PAGE), match.sequence)
        self._readings.count(caller, context, last - after)
        viewer = replay_viewer(match, caller.player_id)
        return pb.GetReplayResponse(
            info=wire_info(summary(match), caller.player_id),
            events=wire_events(live.history.seen(after, viewer, last)),
            open_cards=match.status.is_over,
        )

    async def GetViewAt(  # noqa: N802
        self, request: pb.GetViewAtRequest, context: Context
    ) -> pb.GetViewAtResponse:
        """Show the match as it was."""
        caller = await self._gate.enter(context, Scope.WATCH)
        live = await self._watched(request.match_id, caller)
        seat = request.seat if request.HasField("seat") else None
        seen = live.outlook(caller.player_id).match
        viewer = past_viewer(seen, caller.player_id, seat, open_cards=request.open_cards)
        if isinstance(viewer, MatchRefusal):
            raise refused(viewer)
        sequence = _reached(seen, request.sequence) or seen.sequence
        match = live.history.match_at(sequence)
        assert match, "a match that is found has a first record"
        return pb.GetViewAtResponse(view=wire_view(match_view(match, viewer)))

    async def ExportGame(  # noqa: N802
        self, request: pb.ExportGameRequest, context: Context
    ) -> pb.ExportGameResponse:
        """Give a match that is over as text."""
        caller = await self._gate.enter(context, Scope.WATCH)
        live = await self._watched(request.match_id, caller)
        refusal = refuse_not_over(live.outlook(caller.player_id).match)
        if refusal:
            raise refused(refusal)
        self._readings.count(caller, context, live.history.sequence)
        # In a thread: the text of a long match would hold everybody up.
        text = await asyncio.to_thread(lambda: format_game(game_of(live.history)))
        return pb.ExportGameResponse(text=text)

    async def _watched(self, match_id: str, caller: Caller) -> LiveMatch:
        """Return a match that the caller may see."""
        live = await self._live.find(checked_match_id(match_id))
        refusal = refuse_watching(live.match, caller.player_id)
        if refusal:
            raise refused(refusal)
        return live


def _reached(match: Match, sequence: int) -> int:
    """Return a sequence of a request on a match as its caller may know it.

    Raises:
        SequenceAhead: there is no such event yet.
    """
    if sequence > match.sequence:
        raise SequenceAhead(match.sequence)
    return sequence
