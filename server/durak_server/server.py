"""The server while it serves: what it does beside its calls, and how it stops."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Final, TypeVar

from durak_server.api import ApiServer, Certificates, TokenlessStreams
from durak_server.bots import HouseBots
from durak_server.config import Settings
from durak_server.observe.logs import logger
from durak_server.observe.status_pages import Probes
from durak_server.observe.steady import SteadyVerdict
from durak_server.runtime import LiveMatches, Presences, Surroundings, expire_matches
from durak_server.store import StoreError

_log = logger(__name__)
_Answer = TypeVar("_Answer")
_BEAT_SECONDS: Final = 0.5
_DEAD_AFTER_SECONDS: Final = 15.0
_PROBE_SECONDS: Final = 2.0
_STEADY_SECONDS: Final = 5.0
"""A store that fails, or answers again, for less than this does not change readiness."""
_SWEEP_SECONDS: Final = 5.0
_BETWEEN_EXPIRIES: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Fronts:
    """Where calls come in."""

    players: ApiServer
    operator: ApiServer
    tokenless: TokenlessStreams
    drain_wanted: asyncio.Event
    """Set when the operator wants the server to drain."""

    async def start(self) -> None:
        """Serve."""
        await asyncio.gather(self.players.start(), self.operator.start())

    def tell_not_serving(self) -> None:
        """Let health checks fail from now on, while calls are served on."""
        self.players.tell_not_serving()
        self.operator.tell_not_serving()

    async def stop(self, grace_seconds: float) -> None:
        """Refuse new calls, and end those in flight once the time is over."""
        await asyncio.gather(self.players.stop(grace_seconds), self.operator.stop(grace_seconds))


class DurakServer:
    """A server that serves. Get one by `app.serving`."""

    def __init__(
        self,
        settings: Settings,
        fronts: Fronts,
        live: LiveMatches,
        bots: HouseBots,
        presences: Presences,
        around: Surroundings,
    ) -> None:
        self.settings = settings
        self.metrics = around.metrics
        self.live = live
        self.port = 0
        """The port of the API."""
        self.admin_port = 0
        """The port of the operator's own service; 0 if there is none."""
        self.metrics_port = 0
        """The port of the status pages; 0 if there are none."""
        self._fronts = fronts
        self._bots = bots
        self._presences = presences
        self.store = around.store
        self._around = around
        self._is_draining = False
        self._is_stopping = False
        self._store_serves = SteadyVerdict(_STEADY_SECONDS, around.time.clock)
        self._beat_at = monotonic()
        self._loop = asyncio.get_running_loop()

    def listen(self, certificates: Certificates | None) -> None:
        """Bind the addresses; without certificates what passes there can be read.

        Raises:
            CannotListen: one is taken, or cannot be used.
        """
        self.port = self._fronts.players.listen(self.settings.listen, certificates)
        if self.settings.admin_listen:
            address = self.settings.admin_listen
            self.admin_port = self._fronts.operator.listen(address, certificates)

    async def start(self) -> None:
        """Serve."""
        await self._fronts.start()

    async def wake_matches(self) -> None:
        """Let the house bots and the clocks of unfinished matches go on."""
        try:
            await self.live.wake(await self.store.unfinished_with_bots())
            await self.live.wake(await self.store.playing_with_clocks())
        except StoreError as error:
            _log.error("matches were not woken", exc_info=error)

    async def drain(self) -> None:
        """Stop so that nobody loses anything.

        Health checks fail first and no match is made, while everything else is served on for a
        while: balancers take their time. Then streams end, with a hint to come back, calls in
        flight finish, and what they gave to the matches is done and stored.
        """
        if self._is_stopping:
            return
        self._is_stopping = True
        self._begin_drain()
        await asyncio.sleep(self.settings.drain_settle_seconds)
        await self._presences.close()
        self.live.end_streams()
        self._fronts.tokenless.end()
        await self._fronts.stop(self.settings.drain_grace_seconds)
        await self._bots.close()
        await self.live.close()
        _log.info("drained")

    async def drain_when_asked(self) -> None:
        """Begin to drain once the operator wants it, and serve on until the process is ended."""
        await self._fronts.drain_wanted.wait()
        self._begin_drain()

    def _begin_drain(self) -> None:
        if self._is_draining:
            return
        self._is_draining = True
        self.metrics.process.draining.set(1)
        _log.info("draining")
        self.live.stop_making()
        self._fronts.tell_not_serving()

    def probes(self) -> Probes:
        """Return what the status pages ask; they do so from other threads."""
        return Probes(self._is_alive, self._is_ready, self._refresh)

    async def beat(self) -> None:
        """Measure the event loop's lag for ever."""
        while True:
            asked_at = monotonic()
            await asyncio.sleep(_BEAT_SECONDS)
            self._beat_at = monotonic()
            self.metrics.process.loop_lag_seconds.observe(
                max(0.0, self._beat_at - asked_at - _BEAT_SECONDS)
            )

    async def sweep(self) -> None:
        """Bring lost matches back and let idle ones go, for ever."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            await self.live.bring_back()
            self.live.let_idle_go()

    async def expire(self) -> None:
        """Abandon matches that everybody forgot, for ever."""
        while True:
            await self._around.time.pass_by(_BETWEEN_EXPIRIES)
            try:
                await expire_matches(self.live, self._around)
            except StoreError as error:
                _log.error("no match could expire", exc_info=error)

    def _is_alive(self) -> bool:
        return monotonic() - self._beat_at < _DEAD_AFTER_SECONDS

    def _is_ready(self) -> bool:
        # A question whose answer costs the same, however many matches there are.
        answers = self._answer(self.store.count_running("")) is not None
        return self._store_serves.told(holds=answers) and not self._is_draining

    def _refresh(self) -> None:
        counts = self._answer(self.store.counts())
        if counts is not None:
            self.metrics.set_matches(
                {(status.name, preset.name): number for (status, preset), number in counts.items()}
            )

    def _answer(self, question: Coroutine[None, None, _Answer]) -> _Answer | None:
        """Ask the store from another thread; None if it does not answer."""
        asked = asyncio.run_coroutine_threadsafe(question, self._loop)
        try:
            answer = asked.result(_PROBE_SECONDS)
        except Exception as error:
            asked.cancel()
            self.metrics.store.up.set(0)
            _log.warning("the store does not answer", error=type(error).__name__)
            return None
        self.metrics.store.up.set(1)
        return answer
