"""What can be asked of a match.

`player_id` is who asks; `request_id` names the call so that a repeat is known (empty: it is not
named). `expected_sequence`, if not 0, must be the number of the match's last event.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from durak_server.matches.admission import ANYBODY, Admission
from durak_server.matches.player import BotLevel, Presence
from durak_server.matches.speech import Speech
from durak_server.matches.state import Match, Spectators, Visibility
from durak_server.rules import Card, Move, Preset, RuleSet


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Make a match and take its first seat. The ids and the code are chosen by the caller."""

    player_id: str
    request_id: str
    name: str
    match_id: str
    invite_code: str
    preset: Preset
    rules: RuleSet
    visibility: Visibility = Visibility.PUBLIC
    spectators: Spectators = Spectators.LIVE
    spectator_delay: timedelta = timedelta(0)
    start_when_full: bool = False
    admission: Admission = ANYBODY


@dataclass(frozen=True, slots=True)
class JoinMatch:
    """Take a seat: `seat`, or the first free one. `invite_code` is empty if joining by id.

    `at` is when: an invite code that expires is not taken without that.
    `password_key` is what the password given comes to with the match's own salt, empty for none.
    `seed` is the player's own for the next shuffle, 64 bytes at most, empty for none.
    """

    player_id: str
    request_id: str
    name: str
    seat: int | None = None
    invite_code: str = ""
    seed: bytes = b""
    password_key: bytes = b""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a house bot; its id must be that of nobody else, in any match."""

    player_id: str
    request_id: str
    bot_id: str
    name: str
    level: BotLevel = BotLevel.LOWEST
    seat: int | None = None
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Give the seat up."""

    player_id: str
    request_id: str
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Take the seat of `removed_id`, a human or a bot, from him."""

    player_id: str
    request_id: str
    removed_id: str
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class RenewInvite:
    """Let another invite code lead here, for so long; None: as long as it waits for players."""

    player_id: str
    request_id: str
    invite_code: str
    lifetime: timedelta | None = None
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class ReleaseSeats:
    """Reserve no seats any more."""

    player_id: str
    request_id: str
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class SetReady:
    """Say whether one is ready for the start."""

    player_id: str
    request_id: str
    is_ready: bool
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Close the seats."""

    player_id: str
    request_id: str
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class MakeMove:
    """Move in the deal being played."""

    player_id: str
    request_id: str
    move: Move
    expected_sequence: int = 0


@dataclass(frozen=True, slots=True)
class NotePresence:
    """Note whether a player is here."""

    player_id: str
    presence: Presence


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Move on a seat whose player left and for whom the house plays."""

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class AddSeed:
    """Add a seed of 1 to 64 bytes to the next shuffle, the one with this commitment."""

    player_id: str
    request_id: str
    commitment: bytes
    seed: bytes


@dataclass(frozen=True, slots=True)
class WantRematch:
    """Offer another match after this one, or accept it."""

    player_id: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Say:
    """Say something at the table; too late if the match ended at `ended_since` or before."""

    player_id: str
    request_id: str
    speech: Speech
    ended_since: datetime


@dataclass(frozen=True, slots=True)
class DealCards:
    """Deal from a shuffled deck, first card dealt first.

    The server's own command, to be given whenever the match `awaits_deal`; its events belong to
    the same append as those that led to it. The order is `committed_order` wherever there is one.
    """

    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """Bind the server to 32 random bytes for the next shuffle, known to nobody before.

    The server's own command, to be given whenever the match `awaits_commitment`, after the deal
    if it awaits one as well; its events belong to the same append as those that led to it.
    """

    server_seed: bytes


@dataclass(frozen=True, slots=True)
class EndTurns:
    """End the turns of those whose clocks ran out at `deadline` or before, but for some seats.

    With the `most_in_a_row` that ran out without any act of a human, or after ten deals without
    one, the match is abandoned; None: however many do, it goes on.
    """

    deadline: datetime
    spared: frozenset[int] = frozenset()
    most_in_a_row: int | None = None


@dataclass(frozen=True, slots=True)
class CreditClocks:
    """Give back the time in which nobody could act, and an allowance for coming back.

    `since` is when that began; None if all that is known is that somebody could at the last event.
    """

    now: datetime
    since: datetime | None = None
    allowance: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class CreditLateReturn:
    """Give back to a seat what it was on the clock for without its player, and the allowance.

    He has come back `now`, later than the allowance that was given when the match was read.
    """

    seat: int
    now: datetime
    allowance: timedelta


@dataclass(frozen=True, slots=True)
class ExpireMatch:
    """Abandon a match in which no human has acted since a moment.

    The moment is another one while it is open than while it is being played.
    """

    open_since: datetime
    playing_since: datetime


@dataclass(frozen=True, slots=True)
class TerminateMatch:
    """End a match at once because the operator wants it; `text` tells all who see it why."""

    text: str


@dataclass(frozen=True, slots=True)
class MakeRematch:
    """Make the match that follows `previous`, as it was when all its players wanted it."""

    match_id: str
    previous: Match


@dataclass(frozen=True, slots=True)
class AnnounceRematch:
    """Tell those who wanted a rematch which match it is; that one must exist."""

    match_id: str


OpenMatchCommand: TypeAlias = (
    AddBot | RemovePlayer | RenewInvite | ReleaseSeats | SetReady | StartMatch
)
"""What somebody who sits at a match asks for before the start."""
PlayerCommand: TypeAlias = (
    CreateMatch | JoinMatch | OpenMatchCommand | LeaveMatch | MakeMove | AddSeed | WantRematch | Say
)
HouseCommand: TypeAlias = (
    EndTurns
    | CreditClocks
    | CreditLateReturn
    | PlayOn
    | NotePresence
    | ExpireMatch
    | TerminateMatch
    | MakeRematch
    | AnnounceRematch
)
"""What the house asks for by itself; no player and no request stand in its records."""
MatchCommand: TypeAlias = PlayerCommand | HouseCommand
ServerCommand: TypeAlias = DealCards | CommitSeed
"""What the server has to add to another command."""
Command: TypeAlias = MatchCommand | ServerCommand
