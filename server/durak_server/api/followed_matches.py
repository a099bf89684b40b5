"""The matches that one stream follows: a cursor into the log of each, and no queue."""

from collections.abc import Callable, Set
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from durak_server.api.call_errors import failure_of
from durak_server.api.callers import Caller
from durak_server.api.failures import too_many_streams
from durak_server.api.requests import checked_match_id
from durak_server.api.updates import Updates, checked_muted, checked_view_mode, refuse_stranger
from durak_server.api.watching_streams import WatchingPlace
from durak_server.api.wire_refusals import wire_refusal
from durak_server.matches import Match
from durak_server.observe.metrics import Metrics
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.runtime import LiveMatch, LiveMatches, ShuttingDown, WatcherTooSlow

_MOST_UPDATES: Final = 100
_ENOUGH_EVENTS: Final = 1_000


@dataclass(slots=True)
class News:
    """What goes into one message."""

    updates: list[pb.Update] = field(default_factory=list)
    ended: list[pb.FollowEnded] = field(default_factory=list)
    published_at: list[float] = field(default_factory=list)
    """When live events among the updates were shown, by `time.perf_counter`."""


@dataclass(frozen=True, slots=True)
class _Followed:
    updates: Updates
    place: WatchingPlace
    close: Callable[[], None]


class FollowedMatches:
    """Follows matches for one caller.

    Args:
        caller: who follows.
        live: where matches are found.
        watching: counts a match that is followed while it is, or refuses it.
        most: how many he may follow here at a time.
        metrics: where those who are too slow are counted.
        on_read: told how many events each update has.
        on_news: called whenever `take` may have something; must not block.
    """

    def __init__(
        self,
        caller: Caller,
        live: LiveMatches,
        watching: Callable[[Match], AbstractContextManager[WatchingPlace]],
        most: int,
        metrics: Metrics,
        on_read: Callable[[int], None],
        on_news: Callable[[], None],
    ) -> None:
        self._caller = caller
        self._live = live
        self._watching = watching
        self._most = most
        self._metrics = metrics
        self._on_read = on_read
        self._on_news = on_news
        self._followed: dict[str, _Followed] = {}
        # In the order in which they became ready, so that none waits for ever.
        self._ready: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._followed)

    async def follow(self, command: pb.FollowCommand) -> None:
        """Follow a match from now on, anew if it is followed already.

        If it is refused, what was followed still is, unless the match has left memory since.

        Raises:
            CallFailed: the command is malformed, or the caller may not follow this or so many.
            RuntimeRefusal, StoreError: the match cannot be followed now.
        """
        match_id = checked_match_id(command.match_id)
        view_mode = checked_view_mode(command.view_mode)
        muted = checked_muted(command.muted_player_ids)
        live = await self._live.find(match_id)
        refuse_stranger(live.match, self._caller)
        self._live.refuse_streams()
        before = self._followed.get(match_id)
        if before and before.updates.watcher.live is live:
            # Its places are kept: where all are taken, it must not lose them to begin anew.
            watcher = before.updates.watcher
            watcher.begin(command.after_sequence)
            updates = Updates(self._caller, watcher, view_mode, muted)
            self._followed[match_id] = replace(before, updates=updates)
        else:
            self.unfollow(match_id)
            self._refuse_more()
            self._begin(live, command.after_sequence, view_mode, muted)
        self._note(match_id)

    def _begin(
        self, live: LiveMatch, after: int, view_mode: pb.ViewMode.ValueType, muted: Set[str]
    ) -> None:
        note = partial(self._note, live.match_id)
        with ExitStack() as stack:
            place = stack.enter_context(self._watching(live.match))
            watcher = stack.enter_context(live.watch(after, self._caller.player_id, note))
            updates = Updates(self._caller, watcher, view_mode, muted)
            self._followed[live.match_id] = _Followed(updates, place, stack.pop_all().close)

    def unfollow(self, match_id: str) -> None:
        """Follow a match no longer, if it was followed."""
        followed = self._followed.pop(match_id, None)
        self._ready.pop(match_id, None)
        if followed:
            followed.close()

    def take(self, held: Set[str]) -> News:
        """Return what is new, as much as goes into one message; of matches in `held` nothing.

        Raises:
            ShuttingDown: all streams end.
        """
        news = News()
        events = 0
        for match_id in [ready for ready in self._ready if ready not in held]:
            if len(news.updates) + len(news.ended) >= _MOST_UPDATES or events >= _ENOUGH_EVENTS:
                self._on_news()
                break
            del self._ready[match_id]
            events += self._take_one(match_id, news)
        return news

    def close(self) -> None:
        """Follow nothing any longer."""
        for match_id in list(self._followed):
            self.unfollow(match_id)

    def _take_one(self, match_id: str, news: News) -> int:
        """Add what is new in a match; return how many events that is."""
        followed = self._followed[match_id]
        watcher = followed.updates.watcher
        try:
            watcher.refuse_lag()
            update = followed.updates.next()
            followed.place.attend(watcher.live.match)
        except ShuttingDown:
            raise
        except Exception as error:
            if isinstance(error, WatcherTooSlow):
                self._metrics.process.watchers_dropped.inc()
            refusal = wire_refusal(failure_of(error, self._metrics.limits))
            news.ended.append(pb.FollowEnded(match_id=match_id, refusal=refusal))
            self.unfollow(match_id)
            return 0
        self._on_read(len(update.events))
        news.updates.append(update)
        if watcher.is_live and update.events and not update.HasField("info"):
            news.published_at.append(watcher.live.published_at)
        if update.is_final:
            self.unfollow(match_id)
        elif watcher.behind:
            self._note(match_id)
        return len(update.events)

    def _note(self, match_id: str) -> None:
        self._ready[match_id] = None
        self._on_news()

    def _refuse_more(self) -> None:
        if len(self._followed) >= self._most:
            raise too_many_streams(
                "matches_per_stream",
                f"The stream follows {self._most} matches, the most there may be.",
            )
