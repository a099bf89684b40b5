"""How long players had to wait for a server that was replaced."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter

from durak_client import Lost


class Waits:
    """What the players of one run lived through."""

    def __init__(self) -> None:
        self.longest_answer_seconds = 0.0
        self.longest_pause_seconds = 0.0
        """From the end of a stream to the first word of the one that took its place."""
        self.streams = 0
        """Open now."""
        self.breaks: Counter[str] = Counter()
        """Streams that broke, by what the server said: how it ended them, and whether to wait."""
        self.news = asyncio.Event()
        """Set whenever a stream is heard for the first time, or again."""
        self._returns: dict[str, dict[str, list[datetime]]] = defaultdict(lambda: defaultdict(list))

    def returns_to(self, match_id: str) -> Mapping[str, Sequence[datetime]]:
        """Return when each player of a match had his stream again, by his id."""
        return self._returns[match_id]

    async def open(self, streams: int) -> None:
        """Return once so many streams are open."""
        while self.streams < streams:
            self.news.clear()
            await self.news.wait()

    @contextmanager
    def answer(self) -> Iterator[None]:
        """Time an answer."""
        begun = perf_counter()
        yield
        self.longest_answer_seconds = max(self.longest_answer_seconds, perf_counter() - begun)

    @contextmanager
    def stream(self, match_id: str, player_id: str) -> Iterator["StreamWaits"]:
        """Watch a stream that may break and be made again."""
        stream = StreamWaits(self, self._returns[match_id][player_id])
        try:
            yield stream
        finally:
            stream.close()


class StreamWaits:
    """The pauses of one stream; made by `Waits.stream`."""

    def __init__(self, waits: Waits, returns: list[datetime]) -> None:
        self._waits = waits
        self._returns = returns
        self._is_open = False
        self._lost_at: float | None = None

    def lose(self, lost: Lost) -> None:
        """Take note of a try that failed; the first after a word ends what was open."""
        if not self._is_open:
            return
        refusal = lost.cause.refusal
        hint = "come again" if refusal.retry_seconds else "no hint"
        self._waits.breaks[f"{refusal.code.name} {refusal.reason}, {hint}"] += 1
        self._lost_at = perf_counter()
        self.close()

    def hear(self) -> None:
        """Take note of a word."""
        if self._is_open:
            return
        self._is_open = True
        self._waits.streams += 1
        self._waits.news.set()
        if self._lost_at is not None:
            self._returns.append(datetime.now(UTC))
            pause = perf_counter() - self._lost_at
            self._waits.longest_pause_seconds = max(self._waits.longest_pause_seconds, pause)

    def close(self) -> None:
        """End it for good, or until it is heard again."""
        self._waits.streams -= self._is_open
        self._is_open = False
