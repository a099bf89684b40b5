"""One who watches the lobby, and what has changed there since he last heard of it."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from durak_server.matches import MatchSummary
from durak_server.runtime.errors import ShuttingDown
from durak_server.runtime.timekeeper import Timekeeper
from durak_server.store import MatchQuery


@dataclass(frozen=True, slots=True)
class LobbyNews:
    """What a watcher has to hear; `removed` are ids of matches that he was told before."""

    added: tuple[MatchSummary, ...] = ()
    changed: tuple[MatchSummary, ...] = ()
    removed: tuple[str, ...] = ()


class LobbyWatcher:
    """One who watches the matches that fit a query. Get one by `Lobby.watch`.

    Of each match that has changed he keeps the newest state, until he takes it: a slow one makes
    nobody remember more than the matches that there are.
    """

    def __init__(self, query: MatchQuery) -> None:
        self._query = query
        self._told: set[str] | None = set()
        """The matches listed so far; None once the list is whole."""
        self._changed: dict[str, tuple[bool, MatchSummary]] = {}
        """The newest state of each, and whether he knew of the match before it changed."""
        self._news = asyncio.Event()
        self._has_rested = asyncio.Event()
        self._has_ended = False

    def listing(self, matches: tuple[MatchSummary, ...]) -> tuple[MatchSummary, ...]:
        """Return what to tell of a page of the store: not what has changed since the watch began.

        He hears of that once the list is whole, which `list_is_whole` says.
        """
        assert self._told is not None, "lists end before news begin"
        listed = tuple(found for found in matches if found.match_id not in self._changed)
        self._told |= {found.match_id for found in listed}
        return listed

    def list_is_whole(self) -> None:
        """Go on with news alone."""
        assert self._told is not None, "a list ends once"
        self._changed = {
            match_id: (match_id in self._told, now) for match_id, (_, now) in self._changed.items()
        }
        self._told = None

    def note(self, before: MatchSummary | None, now: MatchSummary) -> None:
        """Take note of a change; `before` is None for a match that was made."""
        noted = self._changed.get(now.match_id)
        was_listed = noted[0] if noted else before is not None and self._query.fits(before)
        if noted or was_listed or self._query.fits(now):
            self._changed[now.match_id] = was_listed, now
            self._news.set()

    def end(self) -> None:
        """Let the next `take` raise `ShuttingDown`."""
        self._has_ended = True
        self._news.set()
        self._has_rested.set()

    async def wait(self, seconds: float) -> None:
        """Return when there is news, the watch was ended, or the time is over."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    @property
    def has_news(self) -> bool:
        """Whether `wait` returns at once."""
        return self._news.is_set()

    async def rest(self, span: timedelta, time: Timekeeper) -> None:
        """Return once so much time has passed, whatever changes, or when the watch was ended."""
        self._has_rested.clear()
        alarm = time.alarm_at(time.now() + span, self._has_rested.set)
        try:
            if not self._has_ended:
                await self._has_rested.wait()
        finally:
            alarm.cancel()

    def take(self, most: int) -> LobbyNews:
        """Return what is new of at most so many matches.

        Raises:
            ShuttingDown: the watch was ended.
        """
        if self._has_ended:
            raise ShuttingDown
        taken = [self._changed.pop(match_id) for match_id in list(self._changed)[:most]]
        if not self._changed:
            self._news.clear()
        fitting = [(was_listed, now) for was_listed, now in taken if self._query.fits(now)]
        return LobbyNews(
            added=tuple(now for was_listed, now in fitting if not was_listed),
            changed=tuple(now for was_listed, now in fitting if was_listed),
            removed=tuple(
                now.match_id
                for was_listed, now in taken
                if was_listed and not self._query.fits(now)
            ),
        )
