"""Seats, lifecycle and clocks as data; who may act, and what each may see."""

from durak_server.matches.apply import BrokenLog, apply
from durak_server.matches.checked_fold import checked_fold
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
from durak_server.matches.game import Game, GameDeal, Left, Moved, Step, game_of
from durak_server.matches.game_log import BrokenGame, game_log
from durak_server.matches.game_parser import GameTextError, parse_game
from durak_server.matches.game_text import format_game
from durak_server.matches.history import History
from durak_server.matches.preconditions import refuse_not_over, refuse_watching
from durak_server.matches.redact import (
    OpenEvent,
    Openly,
    SeenDealStarted,
    SeenDrew,
    SeenEvent,
    SeenMatchCreated,
    SeenRecord,
    Viewer,
    visible,
    visible_record,
)
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.replay import past_viewer, replay_viewer
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
    "BrokenGame",
    "BrokenLog",
    "Command",
    "CreateMatch",
    "DealCards",
    "Dealt",
    "Game",
    "GameDeal",
    "GameTextError",
    "History",
    "JoinMatch",
    "LeaveMatch",
    "Left",
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
    "Moved",
    "OpenEvent",
    "Openly",
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
    "Step",
    "Viewer",
    "Visibility",
    "apply",
    "checked_fold",
    "decide",
    "format_game",
    "game_log",
    "game_of",
    "match_view",
    "parse_game",
    "past_viewer",
    "record_events",
    "refuse_not_over",
    "refuse_watching",
    "replay_viewer",
    "summary",
    "visible",
    "visible_record",
]
