"""A request id names one call: which one it was is seen from what that call caused."""

from typing import assert_never

from durak_server import rules
from durak_server.matches.commands import (
    AddBot,
    AddSeed,
    CreateMatch,
    JoinMatch,
    LeaveMatch,
    MakeMove,
    PlayerCommand,
    ReleaseSeats,
    RemovePlayer,
    RenewInvite,
    Say,
    SetReady,
    StartMatch,
    WantRematch,
)
from durak_server.matches.events import (
    InviteRenewed,
    LeaveReason,
    MatchCreated,
    MatchEvent,
    MatchStarted,
    PlayerJoined,
    PlayerLeft,
    ReadyChanged,
    RematchOffered,
    Said,
    SeatsReleased,
    SeedAdded,
)
from durak_server.matches.player import PlayerKind


def is_repeat(command: PlayerCommand, first: MatchEvent) -> bool:
    """Tell whether a request whose first event was `first` was a command of the same kind."""
    match command:
        case MakeMove():
            return isinstance(first, rules.Event)
        case AddSeed():
            return isinstance(first, SeedAdded)
        case WantRematch():
            return isinstance(first, RematchOffered)
        case Say():
            return isinstance(first, Said)
        case _:
            return _is_lobby_repeat(command, first)


def _is_lobby_repeat(
    command: CreateMatch
    | JoinMatch
    | AddBot
    | LeaveMatch
    | RemovePlayer
    | RenewInvite
    | ReleaseSeats
    | SetReady
    | StartMatch,
    first: MatchEvent,
) -> bool:
    match command:
        case CreateMatch():
            return isinstance(first, MatchCreated)
        case JoinMatch():
            return isinstance(first, PlayerJoined) and first.player.kind is PlayerKind.HUMAN
        case AddBot():
            return isinstance(first, PlayerJoined) and first.player.kind is PlayerKind.BOT
        case LeaveMatch():
            return isinstance(first, PlayerLeft) and first.reason is LeaveReason.LEFT
        case RemovePlayer():
            return isinstance(first, PlayerLeft) and first.reason is LeaveReason.REMOVED
        case RenewInvite():
            return isinstance(first, InviteRenewed)
        case ReleaseSeats():
            return isinstance(first, SeatsReleased)
        case SetReady():
            return isinstance(first, ReadyChanged)
        case StartMatch():
            return isinstance(first, MatchStarted)
        case _:
            assert_never(command)
