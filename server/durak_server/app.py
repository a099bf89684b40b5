"""How the parts are put together, started and stopped."""

import asyncio
import importlib.metadata
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

from durak_server.api import (
    AdminService,
    AdminSurroundings,
    ApiServer,
    AuthService,
    CallInterceptor,
    CannotListen,
    Certificates,
    LobbyService,
    LobbySurroundings,
    OperatorServices,
    PlayService,
    ReplayService,
    RunTimeLimits,
    Services,
    StreamPace,
    StreamSurroundings,
    Tls,
)
from durak_server.background import in_background
from durak_server.bots import HouseBots, Pace
from durak_server.config import Settings, StoreKind
from durak_server.entrance import Entrance, build_entrance
from durak_server.identity import Identity, open_identity
from durak_server.observe.audit import AuditLog
from durak_server.observe.metrics import Metrics
from durak_server.observe.spans import NO_STEPS, Spans, Steps, open_spans
from durak_server.observe.status_pages import Probes, StatusPages
from durak_server.runtime import (
    SYSTEM_TIME,
    Bans,
    Limits,
    LiveMatch,
    LiveMatches,
    Presences,
    Surroundings,
    Timekeeper,
)
from durak_server.server import DurakServer, Fronts
from durak_server.store import EventStore, Flush, MemoryStore, SqliteStore
from durak_server.token_secret import token_secret

__all__ = ["DurakServer", "serving", "version"]


def version() -> str:
    """Return the version of the installed distribution."""
    return importlib.metadata.version("durak-server")


@asynccontextmanager
async def serving(settings: Settings, time: Timekeeper = SYSTEM_TIME) -> AsyncIterator[DurakServer]:
    """Serve until the end of the block, then drain. Matches and tokens go by `time`.

    Raises:
        CannotListen: an address is taken, or cannot be used.
        CertificateUnusable: the files of TLS cannot be used.
        KeysMissing: the file of the identity provider's keys holds none.
        SecretNotUsable: the secret kept beside the data could be guessed.
        TracingMissing: spans are wanted, and OpenTelemetry is not installed.
        StoreError, OSError: the data cannot be opened.
    """
    async with AsyncExitStack() as stack:
        spans = open_spans(settings.tracing_endpoint, settings.tracing_share, version())
        if spans:
            stack.push_async_callback(asyncio.to_thread, spans.close)
        metrics = Metrics(version())
        store = await _open_store(settings, metrics)
        stack.push_async_callback(store.close)
        identity = await open_identity(settings, token_secret(settings), metrics, time)
        around = _surroundings(settings, metrics, store, time, spans or NO_STEPS)
        bans = await Bans.load(store, time)
        metrics.operator.players_banned.set_function(bans.number_in_force)
        server = _compose(settings, around, identity, bans, spans)
        server.listen(_certificates(settings, metrics))
        if settings.metrics_listen:
            pages = _status_pages(settings, metrics, server.probes())
            # Closing waits for a request, and a request may wait for the event loop.
            stack.push_async_callback(asyncio.to_thread, pages.close)
            server.metrics_port = pages.port
        duties = (server.beat(), server.sweep(), server.expire(), server.drain_when_asked())
        for duty in duties:
            await stack.enter_async_context(in_background(duty))
        if identity.keys:
            refreshing = identity.keys.keep_fresh(timedelta(seconds=settings.jwks_refresh_seconds))
            await stack.enter_async_context(in_background(refreshing))
        stack.push_async_callback(server.drain)
        await server.start()
        await stack.enter_async_context(in_background(server.wake_matches()))
        yield server


def _compose(
    settings: Settings,
    around: Surroundings,
    identity: Identity,
    bans: Bans,
    spans: Spans | None,
) -> DurakServer:
    metrics, time = around.metrics, around.time
    bots = HouseBots(
        Pace(settings.bot_delay_min_seconds, settings.bot_delay_max_seconds), metrics.play
    )
    presences = Presences(time, timedelta(seconds=settings.presence_grace_seconds))

    def on_change(match: LiveMatch) -> None:
        bots.attend(match)
        presences.attend(match)

    live = LiveMatches(around, on_change)
    entrance = build_entrance(settings, identity.identities, presences, bans, around, spans)
    services = _services(settings, entrance, live, identity, around)
    drain_wanted = asyncio.Event()
    operator = _operator_services(settings, entrance, live, bans, around, drain_wanted)
    players, for_operator = (
        ApiServer(
            # One for each: the two have standard services of their own by the same names.
            served,
            CallInterceptor(concerns, settings.message_max_bytes),
            settings.ping_seconds,
            settings.message_max_bytes,
        )
        for served, concerns in (
            (services, entrance.concerns),
            (operator, entrance.operator_concerns),
        )
    )
    fronts = Fronts(players, for_operator, entrance.tokenless, drain_wanted)
    return DurakServer(settings, fronts, live, bots, presences, around)


def _operator_services(
    settings: Settings,
    entrance: Entrance,
    live: LiveMatches,
    bans: Bans,
    around: Surroundings,
    drain_wanted: asyncio.Event,
) -> OperatorServices:
    return OperatorServices(
        AdminService(
            AdminSurroundings(
                gate=entrance.gate,
                live=live,
                store=around.store,
                bans=bans,
                limits=RunTimeLimits(entrance.rates),
                drain_wanted=drain_wanted,
                audit=AuditLog(settings.audit_file, around.time.now),
                metrics=around.metrics.operator,
                now=around.time.now,
            )
        )
    )


def _services(
    settings: Settings,
    entrance: Entrance,
    live: LiveMatches,
    identity: Identity,
    around: Surroundings,
) -> Services:
    pace = StreamPace(
        heartbeat_seconds=settings.heartbeat_seconds,
        stall_seconds=settings.watcher_stall_seconds,
        rematch=timedelta(seconds=settings.rematch_seconds),
        lobby_pause=timedelta(seconds=settings.lobby_pause_seconds),
    )
    lobby = _lobby(settings, entrance, live, identity, around, pace)
    streams = StreamSurroundings(
        gate=entrance.gate,
        addresses=entrance.addresses,
        live=live,
        watching=entrance.watching,
        follows=entrance.follows,
        pace=pace,
        most_matches=settings.matches_per_stream,
        readings=entrance.readings,
        talk=entrance.talk,
        lines=entrance.lines,
        held=entrance.held,
        hidden=entrance.hidden,
        metrics=around.metrics,
    )
    return Services(
        AuthService(entrance.gate, identity.guests, around.metrics.play),
        LobbyService(lobby),
        PlayService(streams),
        ReplayService(entrance.gate, live, entrance.readings),
    )


def _lobby(
    settings: Settings,
    entrance: Entrance,
    live: LiveMatches,
    identity: Identity,
    around: Surroundings,
    pace: StreamPace,
) -> LobbySurroundings:
    return LobbySurroundings(
        gate=entrance.gate,
        live=live,
        store=around.store,
        pace=pace,
        time=around.time,
        metrics=around.metrics.process,
        match_ids=identity.match_ids,
        passwords=entrance.passwords,
        watching=entrance.watching,
        readings=entrance.readings,
        table_pace=entrance.table_pace,
        made=entrance.made,
        invite_lifetime=timedelta(seconds=settings.invite_seconds),
        matches_per_player=settings.matches_per_player,
    )


def _surroundings(
    settings: Settings, metrics: Metrics, store: EventStore, time: Timekeeper, steps: Steps
) -> Surroundings:
    limits = Limits(
        inbox=settings.match_inbox_size,
        watchers=settings.streams_per_match,
        lobby_watchers=settings.lobby_streams,
        lag_events=settings.watcher_lag_events,
        idle=timedelta(seconds=settings.match_idle_seconds),
        lag_allowance=timedelta(seconds=settings.lag_allowance_seconds),
        return_allowance=timedelta(seconds=settings.return_allowance_seconds),
        return_limit=timedelta(seconds=settings.return_limit_seconds),
        open=timedelta(seconds=settings.open_match_seconds),
        playing=timedelta(seconds=settings.playing_match_seconds),
        timeouts_in_a_row=settings.timeouts_in_a_row,
    )
    return Surroundings(store, metrics, limits, time, steps=steps)


async def _open_store(settings: Settings, metrics: Metrics) -> EventStore:
    if settings.store is StoreKind.MEMORY:
        return MemoryStore()

    def note(flush: Flush) -> None:
        metrics.path.store_batch_appends.observe(flush.appends)
        metrics.store.flush_seconds.observe(flush.seconds)

    store = await SqliteStore.open(settings.store_file, on_flush=note)
    metrics.path.store_queue.set_function(lambda: store.queue_depth)
    metrics.add_data_folder(settings.data)
    return store


def _status_pages(settings: Settings, metrics: Metrics, probes: Probes) -> StatusPages:
    metrics.add_process_collectors()
    host, _, port = settings.metrics_listen.rpartition(":")
    try:
        return StatusPages(host.strip("[]"), int(port), metrics.registry, probes)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on {settings.metrics_listen}: {error.strerror or error}"
        ) from None


def _certificates(settings: Settings, metrics: Metrics) -> Certificates | None:
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    tls = Tls(settings.tls_certificate, settings.tls_key, settings.tls_client_ca)
    certificates = Certificates(tls)
    metrics.identity.certificate_expires_at.set_function(certificates.expires_at)
    return certificates
