"""PlayService: how a match is played and followed."""

from collections.abc import AsyncIterator
from functools import partial

from structlog.contextvars import bind_contextvars

from durak_server.api.callers import Scope
from durak_server.api.calls import Context
from durak_server.api.failures import refused
from durak_server.api.follow import Follower
from durak_server.api.moving import make_move
from durak_server.api.play_stream import PlayStream, StreamSurroundings
from durak_server.api.requests import checked_match_id, checked_request_id, checked_seed
from durak_server.api.speaking import say
from durak_server.api.until_over import hold_until_over
from durak_server.api.updates import (
    Updates,
    checked_muted,
    checked_view_mode,
    refuse_stranger,
)
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import AddSeed, MatchRefusal, summary
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1.play_service_pb2_grpc import PlayServiceServicer
from durak_server.runtime import WatcherTooSlow


class PlayService(PlayServiceServicer):
    """Plays and follows matches."""

    def __init__(self, around: StreamSurroundings) -> None:
        self._around = around
        self._gate = around.gate
        self._live = around.live
        self._metrics = around.metrics

    async def MakeMove(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.MakeMoveRequest, context: Context
    ) -> pb.MakeMoveResponse:
        """Make a move."""
        caller = await self._gate.enter(context)
        return await make_move(self._live, caller, request)

    async def GetView(  # noqa: N802
        self, request: pb.GetViewRequest, context: Context
    ) -> pb.GetViewResponse:
        """Show the match as the caller may see it."""
        caller = await self._gate.enter(context, Scope.WATCH)
        live = await self._live.find(checked_match_id(request.match_id))
        refuse_stranger(live.match, caller)
        outlook = live.outlook(caller.player_id)
        view = live.seen(outlook, live.match.active_seat_of(caller.player_id))
        return pb.GetViewResponse(
            info=wire_info(summary(outlook.match), caller.player_id), view=wire_view(view)
        )

    async def AddSeed(  # noqa: N802
        self, request: pb.AddSeedRequest, context: Context
    ) -> pb.AddSeedResponse:
        """Add the caller's seed to the next shuffle."""
        caller = await self._gate.enter(context)
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

    async def Say(  # noqa: N802
        self, request: pb.SayRequest, context: Context
    ) -> pb.SayResponse:
        """Say something at the table."""
        caller = await self._gate.enter(context)
        return await say(self._live, self._around.talk, caller, request)

    async def StreamEvents(  # type: ignore[override]  # noqa: N802  (writes to the context)
        self, request: pb.StreamEventsRequest, context: Context
    ) -> None:
        """Follow a match; the updates are written to the context."""
        caller = await self._gate.enter(context, Scope.WATCH)
        view_mode = checked_view_mode(request.view_mode)
        muted = checked_muted(request.muted_player_ids)
        live = await self._live.find(checked_match_id(request.match_id))
        bind_contextvars(match=live.match_id)
        refuse_stranger(live.match, caller)
        self._live.refuse_streams()
        with (
            self._gate.stream_of(caller, context),
            live.watch(request.after_sequence, caller.player_id) as watcher,
        ):
            place = hold_until_over(self._around.watching.of_match(live.match, caller, context))
            hold_until_over(self._metrics.process.streams.track_inprogress())
            updates = Updates(
                caller,
                watcher,
                view_mode,
                muted,
                self._around.pace.rematch if request.follow_rematch else None,
            )
            try:
                follower = Follower(
                    updates,
                    place,
                    self._around.pace,
                    self._metrics.path,
                    partial(self._around.readings.count, caller, context),
                )
                await follower.follow(context)
            except WatcherTooSlow:
                self._metrics.process.watchers_dropped.inc()
                raise

    async def Play(  # type: ignore[override]  # noqa: N802  (writes to the context)
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Context
    ) -> None:
        """Play and follow any number of matches; the answers are written to the context."""
        caller = await self._gate.enter(context)
        with self._gate.stream_of(caller, context):
            hold_until_over(self._metrics.process.streams.track_inprogress())
            await PlayStream(caller, context, self._around).serve(request_iterator)
