"""What changes in the lobby, and who is told of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakSet

from durak_server.matches import MatchSummary, Visibility, as_listed, summary
from durak_server.runtime.errors import ShuttingDown, TooManyWatchers
from durak_server.runtime.lobby_watcher import LobbyWatcher
from durak_server.store import MatchQuery

if TYPE_CHECKING:
    from durak_server.runtime.live_match import LiveMatch


class Lobby:
    """The public matches that are not over, as far as this server has seen them change.

    A move changes nothing that a lobby shows, so nobody is told of it.
    """

    def __init__(self, most_watchers: int) -> None:
        self._most_watchers = most_watchers
        self._watchers: set[LobbyWatcher] = set()
        self._known: dict[str, MatchSummary] = {}
        self._unmade: WeakSet[LiveMatch] = WeakSet()
        self._has_ended = False

    @contextmanager
    def watch(self, query: MatchQuery) -> Iterator[LobbyWatcher]:
        """Watch the matches that fit.

        Raises:
            TooManyWatchers: as many watch as may.
            ShuttingDown: no watch is begun any more.
        """
        if self._has_ended:
            raise ShuttingDown
        if len(self._watchers) >= self._most_watchers:
            raise TooManyWatchers("lobby_streams")
        watcher = LobbyWatcher(query)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    def attend(self, live: "LiveMatch") -> None:
        """Look at a match that was loaded, or is about to be made, or has changed."""
        match = live.history.match
        if match is None:
            self._unmade.add(live)
            return
        if match.visibility is not Visibility.PUBLIC:
            return
        now = summary(match)
        before = self._known.pop(match.match_id, None)
        if not now.status.is_over:
            self._known[match.match_id] = now
        if before is None and live not in self._unmade:
            return  # read from the store, as it was
        self._unmade.discard(live)
        if not self._watchers:
            return
        if before is None or _as_shown(before) != _as_shown(now):
            for watcher in self._watchers:
                watcher.note(before, now)

    def end(self) -> None:
        """End every watch and begin no more."""
        self._has_ended = True
        for watcher in self._watchers:
            watcher.end()


def _as_shown(match: MatchSummary) -> MatchSummary:
    """Return a match without what every move changes, and what is seen late, if at all."""
    return replace(as_listed(match, ""), sequence=0, updated_at=match.created_at)
