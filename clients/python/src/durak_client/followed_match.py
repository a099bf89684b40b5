"""A match that is followed on a stream shared with others."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from dataclasses import replace

from durak_client.events import Update
from durak_client.following import ViewMode, first_muted, new_part
from durak_client.pb.durak.v1 import play_service_pb2


class FollowedMatch:
    """Holds what came and was not taken yet, as one update.

    So whoever is slow keeps nobody else from his updates, and gets the newest view.
    """

    def __init__(
        self,
        match_id: str,
        after: int,
        view_mode: ViewMode,
        muted: Collection[str],
        waits: Callable[[], Iterator[float]],
    ) -> None:
        self.match_id = match_id
        self._is_confirmed = False
        self._after = after
        self._view_mode = view_mode
        self._muted = muted
        self._new_waits = waits
        self._waits = waits()
        self._pending: Update | None = None
        self._error: Exception | None = None
        self._has_changed = asyncio.Event()

    def command(self, tag: int) -> play_service_pb2.PlayCommand:
        """Return the command to follow the match from where we are.

        What comes before the answer to it belongs to an earlier one and is left out.
        """
        self._is_confirmed = False
        follow = play_service_pb2.FollowCommand(
            match_id=self.match_id,
            after_sequence=self._after,
            view_mode=play_service_pb2.ViewMode.ValueType(self._view_mode),
            muted_player_ids=first_muted(self._muted),
        )
        return play_service_pb2.PlayCommand(tag=tag, follow=follow)

    def confirm(self) -> None:
        """Take in what comes from now on: the last command was answered."""
        self._is_confirmed = True

    def take_in(self, update: Update) -> None:
        """Keep what came.

        Raises:
            Unavailable: an event is missing; following anew brings it.
        """
        if not self._is_confirmed:
            return
        update = new_part(update, self._after, self._muted)
        self._after = update.sequence
        if update.info is None:
            self._waits = self._new_waits()
        if update.events or update.view or update.info or update.is_final:
            self._pending = _joined(self._pending, update) if self._pending else update
            self._has_changed.set()

    def end(self, error: Exception) -> None:
        """Let the follower hear this, after all that came."""
        self._error = error
        self._has_changed.set()

    def wait_seconds(self) -> float:
        """Return how long to wait before the match is followed again; longer each time."""
        return next(self._waits)

    async def updates(self) -> AsyncGenerator[Update, None]:
        """Yield what comes, until the match is over.

        Raises:
            Exception: as given to `end`.
        """
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            update, self._pending = self._pending, None
            if update:
                yield update
                if update.is_final:
                    return
            if self._error:
                raise self._error


def _joined(earlier: Update, later: Update) -> Update:
    """Return two updates as one, with a view only if it is that after the last event."""
    view = later.view or (None if later.events else earlier.view)
    return replace(
        later, events=earlier.events + later.events, view=view, info=later.info or earlier.info
    )
