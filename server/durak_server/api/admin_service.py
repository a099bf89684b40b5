"""AdminService: what the operator sees and does."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from durak_server.api.banning import Banning, checked_ban
from durak_server.api.callers import Caller, Scope
from durak_server.api.calls import Context
from durak_server.api.failures import CallFailed, invalid_field, refused
from durak_server.api.gate import Gate, refuse_without
from durak_server.api.lobby_requests import match_query
from durak_server.api.requests import (
    checked_match_id,
    checked_player_id,
    operator_text,
    page_request,
)
from durak_server.api.run_time_limits import RunTimeLimits
from durak_server.api.wire_events import wire_events
from durak_server.api.wire_matches import wire_info
from durak_server.api.wire_views import wire_view
from durak_server.matches import (
    MatchRefusal,
    Openly,
    TerminateMatch,
    match_view,
    summary,
)
from durak_server.observe.audit import Act, AuditLog
from durak_server.observe.operator_metrics import OperatorMetrics
from durak_server.pb.durak.v1 import admin_service_pb2 as pb
from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1.admin_service_pb2_grpc import AdminServiceServicer
from durak_server.runtime import Bans, LiveMatches, SequenceAhead
from durak_server.store import EventStore, Page

_LARGEST_PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class AdminSurroundings:
    """What the operator's service works on."""

    gate: Gate
    live: LiveMatches
    store: EventStore
    bans: Bans
    limits: RunTimeLimits
    drain_wanted: asyncio.Event
    """To be set when the server shall begin to drain."""
    audit: AuditLog
    metrics: OperatorMetrics
    now: Callable[[], datetime]


class AdminService(AdminServiceServicer):
    """Shows and ends matches, keeps players out, and changes how the server serves."""

    def __init__(self, around: AdminSurroundings) -> None:
        self._gate = around.gate
        self._live = around.live
        self._store = around.store
        self._audit = around.audit
        self._acts = around.metrics.acts
        self._now = around.now
        self._limits = around.limits
        self._drain_wanted = around.drain_wanted
        self._banning = Banning(around.gate, around.live, around.store, around.bans)

    async def ListAllMatches(  # noqa: N802  (as all calls here: named by the contract)
        self, request: pb.ListAllMatchesRequest, context: Context
    ) -> pb.ListAllMatchesResponse:
        """List matches, unlisted ones too."""
        await self._gate.enter_admin(context)
        page = await self._page(request)
        return pb.ListAllMatchesResponse(
            matches=[wire_info(found, "") for found in page.matches],
            next_page_token=page.next_token,
        )

    async def InspectMatch(  # noqa: N802
        self, request: pb.InspectMatchRequest, context: Context
    ) -> pb.InspectMatchResponse:
        """Show a match and its log."""
        caller = await self._gate.enter_admin(context)
        match_id = checked_match_id(request.match_id)
        if request.page_size > _LARGEST_PAGE:
            raise invalid_field("page_size", f"must be 0 to {_LARGEST_PAGE}")
        if request.open_cards:
            refuse_without(caller, Scope.HANDS)
            await self._note(caller, Act.LOOK_AT_HANDS, match=match_id)
        live = await self._live.find(match_id)
        after = request.after_sequence
        if after > live.history.sequence:
            raise SequenceAhead(live.history.sequence)
        last = min(after + (request.page_size or _LARGEST_PAGE), live.history.sequence)
        viewer = Openly.OPEN if request.open_cards else None
        return pb.InspectMatchResponse(
            info=wire_info(summary(live.match), ""),
            view=wire_view(match_view(live.match, viewer)),
            events=wire_events(live.history.seen(after, viewer, last)),
            watchers=live.watchers,
        )

    async def TerminateMatch(  # noqa: N802
        self, request: pb.TerminateMatchRequest, context: Context
    ) -> pb.TerminateMatchResponse:
        """End a match."""
        caller = await self._gate.enter_admin(context)
        match_id = checked_match_id(request.match_id)
        text = operator_text(request.text)
        await self._live.find(match_id)
        await self._note(caller, Act.TERMINATE_MATCH, match=match_id, text=text)
        outcome = await (await self._live.find(match_id)).submit(TerminateMatch(text))
        if isinstance(outcome, MatchRefusal):
            raise refused(outcome)
        return pb.TerminateMatchResponse(sequence=outcome.last)

    async def BanPlayer(  # noqa: N802
        self, request: pb.BanPlayerRequest, context: Context
    ) -> pb.BanPlayerResponse:
        """Keep a player out."""
        caller = await self._gate.enter_admin(context)
        ban = checked_ban(request, caller.player_id, self._now())
        until = ban.until.isoformat() if ban.until else ""
        await self._note(caller, Act.BAN, player=ban.player_id, text=ban.text, until=until)
        return await self._banning.ban(ban)

    async def UnbanPlayer(  # noqa: N802
        self, request: pb.UnbanPlayerRequest, context: Context
    ) -> pb.UnbanPlayerResponse:
        """Let a player in again."""
        caller = await self._gate.enter_admin(context)
        player_id = checked_player_id(request.player_id)
        await self._note(caller, Act.LIFT_BAN, player=player_id)
        return await self._banning.lift(player_id)

    async def ListBans(  # noqa: N802
        self, request: pb.ListBansRequest, context: Context
    ) -> pb.ListBansResponse:
        """List who is kept out."""
        await self._gate.enter_admin(context)
        return self._banning.listed(request)

    async def Drain(  # noqa: N802
        self, _request: pb.DrainRequest, context: Context
    ) -> pb.DrainResponse:
        """Begin to drain."""
        caller = await self._gate.enter_admin(context)
        await self._note(caller, Act.DRAIN)
        self._drain_wanted.set()
        return pb.DrainResponse()

    async def GetLimits(  # noqa: N802
        self, _request: pb.GetLimitsRequest, context: Context
    ) -> pb.GetLimitsResponse:
        """List the rates."""
        await self._gate.enter_admin(context)
        return pb.GetLimitsResponse(limits=self._limits.listed())

    async def SetLimits(  # noqa: N802
        self, request: pb.SetLimitsRequest, context: Context
    ) -> pb.SetLimitsResponse:
        """Change rates."""
        caller = await self._gate.enter_admin(context)
        wanted = self._limits.checked(request.changes)
        facts = {name: f"{per_second:g}" for name, per_second in wanted.items()}
        await self._note(caller, Act.SET_LIMITS, **facts)
        self._limits.change(wanted)
        return pb.SetLimitsResponse(limits=self._limits.listed())

    async def _page(self, request: pb.ListAllMatchesRequest) -> Page:
        page = page_request(request.page_size, request.page_token)
        query = match_query(request.filter)
        if request.player_id:
            return await self._store.list_of_player(request.player_id, page, query.statuses)
        return await self._store.list_all(query, page)

    async def _note(self, caller: Caller, act: Act, **facts: str) -> None:
        """Write down what is about to be done; raise if that cannot be, and it must not be."""
        try:
            await self._audit.note(caller.player_id, act, **facts)
        except OSError as error:
            raise CallFailed(
                error_pb2.ERROR_REASON_STORE_UNAVAILABLE, "The audit log cannot be written."
            ) from error
        self._acts.labels(act.name).inc()
