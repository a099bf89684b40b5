"""How long to try, and how long to wait between two tries."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

_MOST_BEYOND: Final = 1.5
"""Times what a server asks for: nobody waits longer for its sake."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How a client deals with a network and servers that come and go.

    A call is repeated until it is answered or `deadline` has passed. Waits grow from `first_wait`
    to `longest_wait`, each a random part of that, so that clients who lost one server do not come
    back together. A stream that is silent for `silence` counts as broken; servers send at least
    a heartbeat every 15 seconds. `keepalive` is how often an idle connection is checked; servers
    cut off who checks more often than every 10 seconds.
    """

    deadline: timedelta = timedelta(seconds=30)
    first_wait: timedelta = timedelta(milliseconds=100)
    longest_wait: timedelta = timedelta(seconds=2)
    silence: timedelta = timedelta(seconds=40)
    keepalive: timedelta = timedelta(seconds=30)

    def waits(self) -> Iterator[float]:
        """Yield seconds to wait before the next try, for ever: full jitter, doubling bounds."""
        bound, longest = self.first_wait.total_seconds(), self.longest_wait.total_seconds()
        while True:
            yield random.uniform(0, bound)
            bound = min(2 * bound, longest)


def pause_seconds(wait: float, asked: float | None) -> float:
    """Return how long to wait if one would wait for `wait`, and the server asks for `asked`.

    A server that goes away asks everybody for the same: to come back together would be a storm, so
    a random part is added.
    """
    return max(wait, (asked or 0) * random.uniform(1, _MOST_BEYOND))
