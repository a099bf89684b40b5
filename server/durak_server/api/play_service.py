"""PlayService: how a match is played and followed."""

from structlog.contextvars import bind_contextvars

from durak_server.api.calls import Context
from durak_server.api.failures import invalid_field, refused
from durak_server.api.follow import Follower, StreamPace
from durak_server.api.gate import Gate
from durak_server.api.requests import checked_match_id, checked_request_id, checked_seed
from durak_server.api.tokens import Caller
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_moves import move_from_wire
from durak_server.api.wire_views import wire_view
from durak_server.matches import AddSeed, MakeMove, MatchRefusal, refuse_watching, summary
from durak_server.observe.metrics import Metrics
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceServicer
from durak_server.runtime import LiveMatch, LiveMatches, WatcherTooSlow


class PlayService(PlayServiceServicer):
    """Plays and follows matches."""

    def __init__(self, gate: Gate, live: LiveMatches, pace: StreamPace, metrics: Metrics) -> None:
        self._gate = gate
        self._live = live
        self._pace = pace
        self._metrics = metrics

    async def MakeMove(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.MakeMoveRequest, context: Context
    ) -> pb.MakeMoveResponse:
        """Make a move."""
        caller = self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        command = MakeMove(
            caller.player_id,
            checked_request_id(request.request_id),
            move_from_wire(request.move),
            request.expected_sequence,
        )
        bind_contextvars(match=match_id)
        outcome = await self._live.submit(match_id, command)
        if isinstance(outcome, MatchRefusal):
            raise refused(outcome)
        seat = outcome.match.active_seat_of(caller.player_id)
        bind_contextvars(seat=seat)
        return pb.MakeMoveResponse(events=wire_events(outcome.seen(seat)), sequence=outcome.last)

    async def GetView(  # noqa: N802
        self, request: pb.GetViewRequest, context: Context
    ) -> pb.GetViewResponse:
        """Show the match as the caller may see it."""
        caller = self._gate.enter(context)
        live = await self._live.find(checked_match_id(request.match_id))
        _refuse_stranger(live, caller)
        view = live.view(live.match.active_seat_of(caller.player_id))
        return pb.GetViewResponse(
            info=wire_info(summary(live.match), caller.player_id), view=wire_view(view)
        )

    async def AddSeed(  # noqa: N802
        self, request: pb.AddSeedRequest, context: Context
    ) -> pb.AddSeedResponse:
        """Add the caller's seed to the next shuffle."""
        caller = self._gate.enter(context)
        match_id = checked_match_id(request.match_id)
        command = AddSeed(
            caller.player_id,
            checked_request_id(request.request_id),
            request.commitment,
            checked_seed(request.seed, shortest=1),
        )
        bind_contextvars(match=match_id)
        outcome = await self._live.submit(match_id, command)
        if isinstance(outcome, MatchRefusal):
            raise refused(outcome)
        return pb.AddSeedResponse(sequence=outcome.last)

    async def StreamEvents(  # type: ignore[override]  # noqa: N802  (writes to the context)
        self, request: pb.StreamEventsRequest, context: Context
    ) -> None:
        """Follow a match; the updates are written to the context."""
        caller = self._gate.enter(context)
        if request.view_mode not in pb.ViewMode.values():
            raise invalid_field("view_mode", f"{request.view_mode} is unknown")
        live = await self._live.find_to_watch(checked_match_id(request.match_id))
        bind_contextvars(match=live.match_id)
        _refuse_stranger(live, caller)
        with (
            self._gate.stream_of(caller),
            live.watch(request.after_sequence) as watcher,
            self._metrics.process.streams.track_inprogress(),
        ):
            mode = request.view_mode or pb.VIEW_MODE_ALWAYS
            follower = Follower(
                caller,
                watcher,
                mode,
                self._pace,
                self._metrics.path,
                follow_rematch=request.follow_rematch,
            )
            try:
                await follower.follow(context)
            except WatcherTooSlow:
                self._metrics.process.watchers_dropped.inc()
                raise


def _refuse_stranger(live: LiveMatch, caller: Caller) -> None:
    refusal = refuse_watching(live.match, caller.player_id)
    if refusal:
        raise refused(refusal)
