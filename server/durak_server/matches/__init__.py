"""Seats, lifecycle and clocks as data; who may act, and what each may see."""

from durak_server.matches.apply import BrokenLog, apply
from durak_server.matches.commands import (
    AddBot,
    Command,
    CreateMatch,
    DealCards,
    JoinMatch,
    LeaveMatch,
    MakeMove,
    PlayerCommand,
    StartMatch,
)
from durak_server.matches.decide import decide
from durak_server.matches.events import (
    LobbyEvent,
    MatchAbandoned,
    MatchCreated,
    MatchEvent,
    MatchFinished,
    MatchStarted,
    OwnerChanged,
    PlayerJoined,
    PlayerLeft,
    Record,
    record_events,
)
from durak_server.matches.history import History
from durak_server.matches.preconditions import refuse_watching
from durak_server.matches.redact import (
    OpenEvent,
    SeenDealStarted,
    SeenDrew,
    SeenEvent,
    SeenMatchCreated,
    SeenRecord,
    visible,
    visible_record,
)
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.state import (
    BotLevel,
    Dealt,
    Match,
    MatchStatus,
    Player,
    PlayerKind,
    Spectators,
    Visibility,
)
from durak_server.matches.summary import MatchSummary, summary
from durak_server.matches.view import MatchView, match_view

__all__ = [
    "AddBot",
    "BotLevel",
    "BrokenLog",
    "Command",
    "CreateMatch",
    "DealCards",
    "Dealt",
    "History",
    "JoinMatch",
    "LeaveMatch",
    "LobbyEvent",
    "MakeMove",
    "Match",
    "MatchAbandoned",
    "MatchCreated",
    "MatchEvent",
    "MatchFinished",
    "MatchReason",
    "MatchRefusal",
    "MatchStarted",
    "MatchStatus",
    "MatchSummary",
    "MatchView",
    "OpenEvent",
    "OwnerChanged",
    "Player",
    "PlayerCommand",
    "PlayerJoined",
    "PlayerKind",
    "PlayerLeft",
    "Record",
    "SeenDealStarted",
    "SeenDrew",
    "SeenEvent",
    "SeenMatchCreated",
    "SeenRecord",
    "Spectators",
    "StartMatch",
    "Visibility",
    "apply",
    "decide",
    "match_view",
    "record_events",
    "refuse_watching",
    "summary",
    "visible",
    "visible_record",
]
