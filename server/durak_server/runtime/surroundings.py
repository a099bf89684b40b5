"""What all live matches share: store, time, dice, limits, metrics, spans."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from durak_server.observe.metrics import Metrics
from durak_server.observe.spans import NO_STEPS, Steps
from durak_server.rules import Card
from durak_server.runtime.shuffle import fresh_seed, shuffled_deck
from durak_server.runtime.timekeeper import SYSTEM_TIME, Timekeeper
from durak_server.store import EventStore


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one match takes before it refuses."""

    inbox: int = 64
    """Commands waiting; above it `MatchBusy`."""
    watchers: int = 1_000
    """Streams open of those without a seat; above it `TooManyWatchers`."""
    lobby_watchers: int = 1_000
    """Streams open to the lobby; above it `TooManyWatchers`."""
    lag_events: int = 20_000
    """Events that a watcher may be behind; above it `WatcherTooSlow`."""
    events_at_once: int = 1_000
    """Events handed to a watcher at a time: a long log makes no long message and no long pause."""
    idle: timedelta = timedelta(seconds=60)
    """After so long without use a match leaves memory."""
    lag_allowance: timedelta = timedelta(seconds=1)
    """A player's time has run out only so long after his deadline: his move may be on its way."""
    return_allowance: timedelta = timedelta(seconds=10)
    """After a restart players have so long to come back before their clocks go on."""
    return_limit: timedelta = timedelta(seconds=60)
    """Turns of players who have not come back by then are ended only after so long."""
    open: timedelta = timedelta(hours=1)
    """After so long in which no human acts an open match is abandoned."""
    playing: timedelta = timedelta(hours=24)
    """The same for a match being played."""
    timeouts_in_a_row: int = 50
    """After so many turns that ran out, without any act of a human, a match is abandoned."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around a match that is not the match."""

    store: EventStore
    metrics: Metrics
    limits: Limits = Limits()
    time: Timekeeper = SYSTEM_TIME
    shuffle: Callable[[int], tuple[Card, ...]] = shuffled_deck
    """Gives a deck of so many cards in a fresh order, for a match that is bound to none."""
    seed: Callable[[], bytes] = fresh_seed
    """Gives a server's seed for a shuffle."""
    steps: Steps = NO_STEPS
    """Times what commands take, as parts of the calls that gave them."""
