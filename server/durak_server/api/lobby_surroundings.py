"""What the lobby works with."""

from dataclasses import dataclass
from datetime import timedelta

from durak_server.api.follow import StreamPace
from durak_server.api.fresh_ids import MatchIds
from durak_server.api.gate import Gate
from durak_server.api.matches_made import MatchesMade
from durak_server.api.passwords import Passwords
from durak_server.api.readings import Readings
from durak_server.api.table_pace import TablePace
from durak_server.api.watching_streams import WatchingStreams
from durak_server.observe.metrics import ProcessMetrics
from durak_server.runtime import LiveMatches, Timekeeper
from durak_server.store import EventStore


@dataclass(frozen=True, slots=True)
class LobbySurroundings:
    """The rooms, limits and choices that all calls of the lobby share."""

    gate: Gate
    live: LiveMatches
    store: EventStore
    pace: StreamPace
    time: Timekeeper
    metrics: ProcessMetrics
    match_ids: MatchIds
    passwords: Passwords
    watching: WatchingStreams
    readings: Readings
    table_pace: TablePace
    made: MatchesMade
    invite_lifetime: timedelta
    """How long an invite code is taken if nothing else is asked for."""
    matches_per_player: int
    """At how many open and running matches one player may sit."""
