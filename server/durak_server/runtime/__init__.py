"""Matches in memory: one task each, those who follow them, and their coming and going."""

from durak_server.runtime.bans import Bans
from durak_server.runtime.errors import (
    MatchBusy,
    MatchGone,
    MatchHidden,
    MatchMissing,
    NoNewMatches,
    RuntimeRefusal,
    SequenceAhead,
    ShuttingDown,
    TooManyWatchers,
    WatcherTooSlow,
)
from durak_server.runtime.expiry import expire_matches
from durak_server.runtime.ledger import LogLost
from durak_server.runtime.live_match import LiveMatch
from durak_server.runtime.live_matches import LiveMatches
from durak_server.runtime.lobby import Lobby
from durak_server.runtime.lobby_watcher import LobbyNews, LobbyWatcher
from durak_server.runtime.outcome import Outcome
from durak_server.runtime.outlook import Outlook
from durak_server.runtime.presences import Presences
from durak_server.runtime.surroundings import Limits, Surroundings
from durak_server.runtime.timekeeper import SYSTEM_TIME, Alarm, Timekeeper, utc_now
from durak_server.runtime.watcher import Watcher

__all__ = [
    "SYSTEM_TIME",
    "Alarm",
    "Bans",
    "Limits",
    "LiveMatch",
    "LiveMatches",
    "Lobby",
    "LobbyNews",
    "LobbyWatcher",
    "LogLost",
    "MatchBusy",
    "MatchGone",
    "MatchHidden",
    "MatchMissing",
    "NoNewMatches",
    "Outcome",
    "Outlook",
    "Presences",
    "RuntimeRefusal",
    "SequenceAhead",
    "ShuttingDown",
    "Surroundings",
    "Timekeeper",
    "TooManyWatchers",
    "Watcher",
    "WatcherTooSlow",
    "expire_matches",
    "utc_now",
]
