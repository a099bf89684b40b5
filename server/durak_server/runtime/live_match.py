"""A match in memory. Its own task alone changes it, so no call can cut a command in half."""

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from time import perf_counter
from typing import TypeAlias

from durak_server.matches import (
    CreditClocks,
    History,
    Match,
    MatchCommand,
    MatchRefusal,
    MatchStatus,
    MatchView,
    NotePresence,
    match_view,
)
from durak_server.observe.logs import logger
from durak_server.observe.spans import Carried
from durak_server.rules import to_act
from durak_server.runtime.errors import (
    MatchBusy,
    MatchGone,
    MatchMissing,
    RuntimeRefusal,
    TooManyWatchers,
)
from durak_server.runtime.ledger import Ledger, LogLost
from durak_server.runtime.outcome import Outcome
from durak_server.runtime.outlook import Outlook, Outlooks
from durak_server.runtime.stoppage import Stoppage
from durak_server.runtime.surroundings import Surroundings
from durak_server.runtime.turn_clock import TurnClock
from durak_server.runtime.watcher import Watcher

_log = logger(__name__)
Answer: TypeAlias = Outcome | MatchRefusal

_Asked: TypeAlias = "tuple[MatchCommand, asyncio.Future[Answer], Carried]"
"""A command that waits, who waits for its answer, and what it is a part of."""


class LiveMatch:
    """One match in play: an inbox of commands, and those who follow.

    `on_change` is called after every change and once at the start; it must not block.
    """

    def __init__(
        self,
        match_id: str,
        history: History,
        around: Surroundings,
        on_change: Callable[["LiveMatch"], None],
    ) -> None:
        self.match_id = match_id
        self.published_at = perf_counter()
        """When the last change was shown to watchers, by `time.perf_counter`."""
        self.is_gone = False
        self.served_until: datetime | None = None
        """Since when, once it has left memory, nobody could act here; None before."""
        self._around = around
        self._ledger = Ledger(match_id, history, around)
        self._on_change = on_change
        self._used_at = around.time.clock()
        self._views: dict[int | None, MatchView] = {}
        self._outlooks = Outlooks()
        self._watchers: set[Watcher] = set()
        self._watching = 0
        """How many of them had no seat when they began."""
        self._inbox: asyncio.Queue[_Asked] = asyncio.Queue(around.limits.inbox)
        self._at_work_since: datetime | None = None
        self._stoppage = Stoppage(self._ledger, around)
        self._turns = TurnClock(match_id, around, self._enqueue)
        # A context of its own: the call that happened to load the match is not its subject.
        self._task = asyncio.create_task(
            self._run(), name=f"match {match_id}", context=contextvars.Context()
        )

    @property
    def history(self) -> History:
        """The match's log and its requests."""
        return self._ledger.history

    @property
    def match(self) -> Match:
        """The match now.

        Raises:
            MatchMissing: it has not been made.
        """
        match = self._ledger.history.match
        if match is None:
            raise MatchMissing(self.match_id)
        return match

    def now(self) -> datetime:
        """Return the time that the match goes by."""
        return self._around.time.now()

    def outlook(self, player_id: str) -> Outlook:
        """Return what a player may know by now."""
        return self._outlooks.of(player_id, self.history, self.match, self.now())

    def seen(self, outlook: Outlook, seat: int | None) -> MatchView:
        """Return the match as the viewer on `seat` may see it with an outlook."""
        return self.view(seat) if outlook.match is self.match else match_view(outlook.match, seat)

    def view(self, seat: int | None) -> MatchView:
        """Return the match as the viewer on `seat` may see it; made once for each change."""
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = match_view(self.match, seat)
        return view

    async def give_time_back(self, since: datetime | None) -> None:
        """Credit the clocks that run, before anything else: nobody could act until now.

        Nor can anybody at once: those who follow have to come back first. A match leaves memory
        with its clocks running only if the server, or its store, failed: in this process at
        `since`, or if that is None, before it.

        Raises:
            StoreError, LogLost: it could not be stored; nobody's turn may be ended.
        """
        match = self.history.match
        if match and match.clocks:
            allowance = self._around.limits.return_allowance
            await self.submit(CreditClocks(self.now(), since, allowance))
        if match and match.status is MatchStatus.PLAYING and match.rules.turn_seconds:
            self._turns.expect_all(self.match)  # also where only a bot is on turn by now

    async def submit(self, command: MatchCommand) -> Answer:
        """Do a command. A caller who is cancelled meanwhile does not stop it.

        Raises:
            MatchBusy: the inbox is full.
            MatchGone: the match has left memory.
            StoreBusy, StoreUnavailable: nothing was stored, the match is as before.
            LogLost: nobody knows whether something was stored.
        """
        if self.is_gone:
            raise MatchGone(self.match_id)
        # Who comes and goes all the time must not keep in memory what nobody plays.
        if not isinstance(command, NotePresence):
            self._used_at = self._around.time.clock()
        return await asyncio.shield(self._enqueue(command))

    @contextmanager
    def watch(
        self, after: int, player_id: str, on_news: Callable[[], None] = lambda: None
    ) -> Iterator[Watcher]:
        """Follow the match from the event after `after`, as a player may know of it.

        `on_news` is called whenever there is something to look at; it must not block.

        Raises:
            SequenceAhead: there is no such event yet, as far as the player may know.
            TooManyWatchers: as many without a seat follow as may, and the player is one.
        """
        watcher = Watcher(self, after, player_id, self._around, on_news)
        # Those who only watch must not keep out those who play, nor the other way round.
        only_watches = self.match.active_seat_of(player_id) is None
        if only_watches and self._watching >= self._around.limits.watchers:
            raise TooManyWatchers("streams_per_match")
        self._watchers.add(watcher)
        self._watching += only_watches
        try:
            self._turns.note_return(player_id, self.match)
            yield watcher
        finally:
            self._watching -= only_watches
            self._watchers.discard(watcher)
            watcher.close()
            self._used_at = self._around.time.clock()

    def bots_to_move(self) -> tuple[int, ...]:
        """Return the seats that the match waits for and on which the house plays."""
        match = self.history.match
        if match is None or match.status is not MatchStatus.PLAYING or match.position is None:
            return ()
        return tuple(seat for seat in to_act(match.position) if match.bot_at(seat))

    @property
    def watchers(self) -> int:
        """How many follow the match now."""
        return len(self._watchers)

    @property
    def has_commands(self) -> bool:
        """Whether a command waits or is being done."""
        return self._at_work_since is not None or not self._inbox.empty()

    async def settled(self) -> None:
        """Return once what memory holds is known to be what the store holds."""
        await self._ledger.current.wait()

    def is_idle(self) -> bool:
        """Tell whether nobody needs the match in memory now."""
        if self._watchers or self.has_commands:
            return False
        idle_for = self._around.time.clock() - self._used_at
        return idle_for >= self._around.limits.idle.total_seconds() and not self.has_duties

    @property
    def has_duties(self) -> bool:
        """Whether something is to happen in the match by itself: a clock runs, or a bot moves."""
        match = self.history.match
        return bool(match and match.clocks) or bool(self.bots_to_move())

    def stop_clocks(self) -> None:
        """End nobody's turn any more: the server is about to stop."""
        self._turns.stop()

    def end_watchers(self, reason: RuntimeRefusal) -> None:
        """End all streams that follow the match."""
        for watcher in self._watchers:
            watcher.end(reason)

    def leave_memory(self) -> None:
        """Take no more commands; what waits is refused, what is being done is not undone."""
        if not self.is_gone:
            self.served_until = self._at_work_since or self.now()
        self.is_gone = True
        self._turns.stop()
        if self._at_work_since is None:
            self._task.cancel()
        while not self._inbox.empty():
            _, answer, _ = self._inbox.get_nowait()
            self._inbox.task_done()
            _fail(answer, MatchGone(self.match_id))
        self.end_watchers(MatchGone(self.match_id))

    async def finish(self) -> None:
        """Do what waits in the inbox, then leave memory."""
        await self._inbox.join()
        self.leave_memory()

    async def _run(self) -> None:
        self._on_change(self)
        while not self.is_gone:
            command, answer, carried = await self._inbox.get()
            self._at_work_since = self.now()
            try:
                with carried():
                    await self._do(command, answer)
            finally:
                self._at_work_since = None
                self._inbox.task_done()

    async def _do(self, command: MatchCommand, answer: "asyncio.Future[Answer]") -> None:
        before, begun = self.history.sequence, self.now()
        try:
            await self._stoppage.make_up(command)
            result = await self._ledger.carry_out(command)
            if not answer.done():
                answer.set_result(result)
            await self._stoppage.make_up_for_slowness(begun)
        except Exception as error:
            _fail(answer, error)
            if isinstance(error, LogLost):
                _log.error("a match is forgotten", match=self.match_id, exc_info=error)
                self.leave_memory()
            self._stoppage.note_failure(error, begun)
            self._turns.note_failure(command, self.history.match, error)
        else:
            self._turns.note_done(command, self.history.match)
        if self.history.sequence != before:
            self._publish()

    def _publish(self) -> None:
        self._views.clear()
        self.published_at = perf_counter()
        for watcher in self._watchers:
            watcher.wake()
        self._on_change(self)

    def _enqueue(self, command: MatchCommand) -> "asyncio.Future[Answer]":
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        try:
            self._inbox.put_nowait((command, answer, self._around.steps.carried()))
        except asyncio.QueueFull:
            raise MatchBusy(self.match_id) from None
        return answer


def _fail(answer: "asyncio.Future[Answer]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # whoever asked may be gone: then nobody has to hear of it
