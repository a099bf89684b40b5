"""The matches in memory: read from the store when asked for, let go when idle."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from durak_server.matches import (
    CreateMatch,
    History,
    HouseCommand,
    MatchReason,
    MatchRefusal,
    PlayerCommand,
    Record,
    WantRematch,
    decide,
)
from durak_server.observe.logs import logger
from durak_server.runtime.errors import (
    MatchBusy,
    MatchHidden,
    MatchMissing,
    NoNewMatches,
    ShuttingDown,
)
from durak_server.runtime.ledger import LogLost
from durak_server.runtime.live_match import LiveMatch
from durak_server.runtime.lobby import Lobby
from durak_server.runtime.outcome import Outcome
from durak_server.runtime.rematches import Rematches
from durak_server.runtime.surroundings import Surroundings
from durak_server.store import StoreError

_log = logger(__name__)
_LONG_LOG: Final = 1_000
"""Records; folding so many takes some 20 ms, and a match has a hundred or two."""

_WOKEN_AT_ONCE: Final = 16
"""Matches; their credits go to the disk together. More would keep those waiting who call."""


class LiveMatches:
    """Every match has at most one `LiveMatch` here, whoever asks and however often.

    `on_change` is called whenever a match was loaded or has changed; it must not block.
    """

    def __init__(
        self, around: Surroundings, on_change: Callable[[LiveMatch], None] = lambda _: None
    ) -> None:
        self._around = around
        self._on_change = on_change
        self._rematches = Rematches(self._open)
        self.lobby = Lobby(around.limits.lobby_watchers)
        """The public ones among them."""
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._unwoken: set[str] = set()
        self.is_draining = False
        self.streams_end = asyncio.Event()
        """Set when every stream ends, and no more is begun."""

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(list(self._live.values()))

    def __len__(self) -> int:
        return len(self._live)

    def now(self) -> datetime:
        """Return the time that all matches go by."""
        return self._around.time.now()

    async def find(self, match_id: str) -> LiveMatch:
        """Return a match, from memory or from the store.

        Raises:
            MatchMissing: there is none of that id.
            StoreError: it cannot be read just now.
        """
        live = await self._open(match_id, is_sought=True)
        if live.history.match is None:
            self._forget_unmade(live)
            raise MatchMissing(match_id)
        return live

    def refuse_streams(self) -> None:
        """Do nothing while streams are begun; to be asked last, of those who may have one.

        Raises:
            ShuttingDown: no stream is begun any more.
        """
        if self.streams_end.is_set():
            raise ShuttingDown

    async def submit(self, match_id: str, command: PlayerCommand) -> Outcome | MatchRefusal:
        """Do a command; see `LiveMatch.submit` for what it raises.

        Raises:
            MatchMissing: there is no such match, and the command makes none.
            NoNewMatches: the server is draining, and the command makes one.
        """
        is_new = isinstance(command, CreateMatch)
        if self.is_draining and is_new:
            raise NoNewMatches
        live = await (self._open(match_id) if is_new else self.find(match_id))
        try:
            if self.is_draining and isinstance(command, WantRematch):
                raise NoNewMatches
            return await live.submit(command)
        except (MatchBusy, NoNewMatches):
            # That would tell a stranger that there is a match which hides from him.
            if _hides(live, command):
                raise MatchHidden(match_id) from None
            raise
        finally:
            if live.history.match is None:
                self._forget_unmade(live)

    async def rematch_of(self, match_id: str) -> str:
        """Return the id of a match's rematch, made now if all want it; empty if not all do.

        Raises:
            MatchMissing: there is no such match.
            StoreError, LogLost: the rematch could not be made just now.
        """
        live = await self.find(match_id)
        await self._rematches.make(live)
        return live.match.next_match_id

    async def tell(self, match_id: str, command: HouseCommand) -> None:
        """Have a match do what the house asks; it leaves memory if it is over and not followed.

        Raises:
            MatchMissing: there is no such match.
        """
        live = await self.find(match_id)
        await live.submit(command)
        if live.match.status.is_over and not (live.watchers or live.has_commands):
            self._forget(live)

    async def wake(self, match_ids: Iterable[str]) -> None:
        """Bring matches into memory, so that bots and clocks go on; those unreadable are told."""
        asleep = iter(match_ids)
        await asyncio.gather(*(self._wake_each(asleep) for _ in range(_WOKEN_AT_ONCE)))

    async def bring_back(self) -> None:
        """Bring back what could not be woken, and what was forgotten with something to do."""
        gone = {live.match_id for live in self if live.is_gone and live.has_duties}
        await self.wake(gone | self._unwoken)

    def let_idle_go(self) -> int:
        """Let the idle matches leave memory; return how many."""
        idle = [live for live in self if live.is_idle()]
        for live in idle:
            self._forget(live)
        return len(idle)

    def stop_making(self) -> None:
        """Refuse new matches from now on."""
        self.is_draining = True

    def end_streams(self) -> None:
        """End every stream and begin no more. Clocks stand: who has no stream shall not lose."""
        self.streams_end.set()
        self.lobby.end()
        for live in self:
            live.stop_clocks()
            live.end_watchers(ShuttingDown())

    async def close(self) -> None:
        """Do every command that waits, then let all matches go."""
        self.stop_making()
        self.end_streams()
        await self._rematches.close()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(live.finish() for live in self))
        for live in self:
            self._forget(live)

    async def _open(self, match_id: str, *, is_sought: bool = False) -> LiveMatch:
        """Return the match in memory, perhaps one that is not made yet.

        One that is sought, not to be made, may have been let go as well if it was not made when
        its log was read: that answers all who waited, and nobody reads it again.
        """
        while True:
            live = self._live.get(match_id)
            if live:
                await live.settled()
                if not live.is_gone:
                    return live
            loaded = await self._loaded(match_id)
            if is_sought and loaded.history.match is None:
                return loaded

    async def _loaded(self, match_id: str) -> LiveMatch:
        loading = self._loading.get(match_id)
        if loading is None:
            loading = asyncio.create_task(self._load(match_id), name=f"load {match_id}")
            loading.add_done_callback(_note_failure)
            self._loading[match_id] = loading
        # Others may wait for the same match: a caller who goes away does not stop it.
        return await asyncio.shield(loading)

    async def _load(self, match_id: str) -> LiveMatch:
        try:
            history = await _history(await self._around.store.read(match_id))
            lost = self._live.get(match_id)
            live = LiveMatch(match_id, history, self._around, self._look_at)
            try:
                await live.give_time_back(lost.served_until if lost else None)
            except BaseException:
                live.leave_memory()
                raise
            self._live[match_id] = live
            if self.streams_end.is_set():  # perhaps only since the match began to load
                live.stop_clocks()
        finally:
            del self._loading[match_id]
        if history.match:
            self._around.metrics.process.loads.inc()
        self._tell_number()
        return live

    async def _wake_each(self, asleep: Iterator[str]) -> None:
        """Wake matches until none is left of those that others wake as well."""
        for match_id in asleep:
            self._unwoken.discard(match_id)
            try:
                await self.find(match_id)
            except Exception as error:  # whatever is wrong with one, the others are woken
                if isinstance(error, StoreError | LogLost):
                    self._unwoken.add(match_id)
                _log.error("a match could not be woken", match=match_id, exc_info=error)

    def _look_at(self, live: LiveMatch) -> None:
        self._on_change(live)
        self._rematches.attend(live)
        self.lobby.attend(live)

    def _forget_unmade(self, live: LiveMatch) -> None:
        if not live.has_commands:
            self._forget(live)

    def _forget(self, live: LiveMatch) -> None:
        live.leave_memory()
        if self._live.get(live.match_id) is live:
            del self._live[live.match_id]
        self._tell_number()

    def _tell_number(self) -> None:
        self._around.metrics.process.live_matches.set(len(self._live))


def _hides(live: LiveMatch, command: PlayerCommand) -> bool:
    decided = decide(live.history.match, command)
    return isinstance(decided, MatchRefusal) and decided.reason is MatchReason.MATCH_NOT_FOUND


async def _history(records: Sequence[Record]) -> History:
    """Fold a log; a long one in a thread, so that other matches need not wait for it."""
    if len(records) < _LONG_LOG:
        return History(records)
    return await asyncio.to_thread(History, records)


def _note_failure(loading: "asyncio.Task[LiveMatch]") -> None:
    """Take note of a failure of which nobody hears, as all who waited have gone."""
    if not loading.cancelled():
        loading.exception()
