"""Streams that are open, by whose they are: so that they can be ended from outside."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from durak_server.api.failures import CallFailed


class OpenStreams:
    """Ends the streams of a player with a failure."""

    def __init__(self) -> None:
        self._open: defaultdict[str, set[_Stream]] = defaultdict(set)

    @contextmanager
    def one_of(self, player_id: str) -> Iterator[None]:
        """Let the stream that this task serves be ended while the block runs.

        Raises:
            CallFailed: it was.
        """
        stream = _Stream()
        self._open[player_id].add(stream)
        try:
            yield
        except asyncio.CancelledError:
            # Whoever else has cancelled the task (the caller, a drain) has the last word.
            if stream.failure and not stream.task.uncancel():
                raise stream.failure from None
            raise
        finally:
            self._open[player_id].discard(stream)
            if not self._open[player_id]:
                del self._open[player_id]

    def end(self, player_id: str, failure: CallFailed) -> int:
        """End all streams of a player; return how many."""
        streams = self._open.get(player_id, set())
        for stream in streams:
            stream.end(failure)
        return len(streams)


class _Stream:
    def __init__(self) -> None:
        task = asyncio.current_task()
        assert task, "a stream is served by a task"
        self.task = task
        self.failure: CallFailed | None = None

    def end(self, failure: CallFailed) -> None:
        if self.failure is None:
            self.failure = failure
            self.task.cancel()
