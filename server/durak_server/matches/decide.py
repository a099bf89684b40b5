"""What a command causes, or why it is refused."""

from typing import assert_never

from durak_server.matches.clocks import credit_clocks, end_turns
from durak_server.matches.commands import (
    AddBot,
    AddSeed,
    AnnounceRematch,
    Command,
    CommitSeed,
    CreateMatch,
    CreditClocks,
    CreditLateReturn,
    DealCards,
    EndTurns,
    ExpireMatch,
    HouseCommand,
    JoinMatch,
    LeaveMatch,
    MakeMove,
    MakeRematch,
    NotePresence,
    OpenMatchCommand,
    PlayOn,
    ReleaseSeats,
    RemovePlayer,
    RenewInvite,
    Say,
    ServerCommand,
    SetReady,
    StartMatch,
    TerminateMatch,
    WantRematch,
)
from durak_server.matches.entry import release_seats, renew_invite
from durak_server.matches.events import MatchEvent
from durak_server.matches.expiry import expire
from durak_server.matches.fairness import add_seed, commit_seed, with_seed_revealed
from durak_server.matches.leaving import leave, remove
from durak_server.matches.playing import deal_cards, make_move, play_on
from durak_server.matches.preconditions import refuse_stranger
from durak_server.matches.presence import note_presence
from durak_server.matches.readiness import set_ready, start
from durak_server.matches.refusals import MatchReason, MatchRefusal
from durak_server.matches.rematch import announce_rematch, make_rematch, want_rematch
from durak_server.matches.seating import add_bot, create, join
from durak_server.matches.state import Match
from durak_server.matches.talking import say
from durak_server.matches.termination import terminate


def decide(match: Match | None, command: Command) -> tuple[MatchEvent, ...] | MatchRefusal:
    """Return the events that a command causes, in order, or why it is refused.

    `match` is None if there is none of that id. Repeats of a request are the caller's business
    (`History.answer_to`). After the events the match may await a deal (`DealCards`), a
    commitment to the next one (`CommitSeed`), or both, and its clocks may have to be set
    (`set_clocks`).

    Raises:
        ValueError: `DealCards` for a match that awaits no deal or is bound to another order;
            `CommitSeed` for one that awaits no commitment, or without 32 bytes.
    """
    decided = _decided(match, command)
    if match is None or isinstance(decided, MatchRefusal):
        return decided
    return with_seed_revealed(match, decided)


def _decided(match: Match | None, command: Command) -> tuple[MatchEvent, ...] | MatchRefusal:
    if isinstance(command, CreateMatch):
        return create(match, command)
    if isinstance(command, MakeRematch):
        return make_rematch(match, command)
    if match is None:
        return MatchRefusal(MatchReason.MATCH_NOT_FOUND)
    if isinstance(command, HouseCommand | ServerCommand):
        return _decided_of_server(match, command)
    if isinstance(command, JoinMatch):
        return join(match, command)
    return refuse_stranger(match, command.player_id) or _decided_of_insider(match, command)


def _decided_of_insider(
    match: Match,
    command: OpenMatchCommand | LeaveMatch | MakeMove | AddSeed | WantRematch | Say,
) -> tuple[MatchEvent, ...] | MatchRefusal:
    match command:
        case LeaveMatch():
            return leave(match, command)
        case MakeMove():
            return make_move(match, command)
        case AddSeed():
            return add_seed(match, command)
        case WantRematch():
            return want_rematch(match, command)
        case Say():
            return say(match, command)
        case _:
            return _decided_before_start(match, command)


def _decided_before_start(
    match: Match, command: OpenMatchCommand
) -> tuple[MatchEvent, ...] | MatchRefusal:
    match command:
        case AddBot():
            return add_bot(match, command)
        case RemovePlayer():
            return remove(match, command)
        case RenewInvite():
            return renew_invite(match, command)
        case ReleaseSeats():
            return release_seats(match, command)
        case SetReady():
            return set_ready(match, command)
        case StartMatch():
            return start(match, command)
        case _:
            assert_never(command)


def _decided_of_server(
    match: Match,
    command: DealCards
    | CommitSeed
    | EndTurns
    | CreditClocks
    | CreditLateReturn
    | ExpireMatch
    | TerminateMatch
    | PlayOn
    | AnnounceRematch
    | NotePresence,
) -> tuple[MatchEvent, ...] | MatchRefusal:
    match command:
        case DealCards():
            return deal_cards(match, command)
        case CommitSeed():
            return commit_seed(match, command)
        case EndTurns():
            return end_turns(match, command)
        case CreditClocks() | CreditLateReturn():
            return credit_clocks(match, command)
        case ExpireMatch():
            return expire(match, command)
        case TerminateMatch():
            return terminate(match, command)
        case PlayOn():
            return play_on(match, command)
        case AnnounceRematch():
            return announce_rematch(match, command)
        case NotePresence():
            return note_presence(match, command)
        case _:
            assert_never(command)
