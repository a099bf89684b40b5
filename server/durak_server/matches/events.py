"""The facts of a match, in the order in which they happen.

The facts of a deal are those of the rules, as they are. Secrets (the order of a deck, what was
drawn, an invite code) are in the events; `redact` builds the copies that viewers get.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from durak_server import rules
from durak_server.matches.admission import ANYBODY, Admission
from durak_server.matches.player import Player, Presence
from durak_server.matches.speech import Speech
from durak_server.matches.state import SeatClock, Spectators, Visibility
from durak_server.rules import Preset, RuleSet


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The match was made; always the first event. The invite code is secret."""

    match_id: str
    preset: Preset
    rules: RuleSet
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    invite_code: str
    start_when_full: bool
    previous_match_id: str = ""
    """The match of which this is the rematch; empty for none."""
    first_dealer: int | None = None
    """Who deals first, in a rematch; None for the owner."""
    first_leader: int | None = None
    """Who leads first, in a rematch; None for the holder of the lowest trump."""
    admission: Admission = ANYBODY
    """Secret."""
    spectator_delay: timedelta = timedelta(0)
    """How long after the players DELAYED spectators see what happens; none for others."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A human or a bot took a free seat."""

    seat: int
    player: Player


class LeaveReason(StrEnum):
    """Why a player has his seat no more."""

    LEFT = "LEFT"
    REMOVED = "REMOVED"
    """The owner took it from him, before the start."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player gave his seat up, or lost it; it is free again if the match had not started."""

    seat: int
    player_id: str
    reason: LeaveReason = LeaveReason.LEFT


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A human who sits here went away, or came back."""

    seat: int
    presence: Presence


@dataclass(frozen=True, slots=True)
class InviteRenewed:
    """Another invite code leads here now, and the one before no more. The code is secret."""

    invite_code: str
    lifetime: timedelta | None
    """How long it is taken; None: as long as the match waits for players."""


@dataclass(frozen=True, slots=True)
class SeatsReleased:
    """Seats that were reserved are free for everybody: so many, and none is reserved any more."""

    count: int


@dataclass(frozen=True, slots=True)
class ReadyChanged:
    """A human said that he is ready for the start, or not any more."""

    seat: int
    is_ready: bool


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """The owner left and another player took over."""

    owner_id: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The seats are closed and the first deal follows."""


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """All deals are played, or no more can be; talk and a rematch may follow.

    `times_fool` is by seat.
    """

    times_fool: tuple[int, ...]


class AbandonReason(StrEnum):
    """Why a match ended before it was played out."""

    EVERYONE_LEFT = "EVERYONE_LEFT"
    """No human is left."""
    EXPIRED = "EXPIRED"
    """No human acted for longer than the server waits, or for too many turns that ran out."""
    TERMINATED = "TERMINATED"
    """The operator ended it."""


@dataclass(frozen=True, slots=True)
class MatchAbandoned:
    """The match ended before it was played out; the last event."""

    reason: AbandonReason = AbandonReason.EVERYONE_LEFT
    text: str = ""
    """What the operator tells those who played, at most 200 characters; empty if it was not he."""


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A player wants another match: the first who does offers it, the others accept."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    """Everybody wanted another match, and here it is; nothing follows."""

    match_id: str


@dataclass(frozen=True, slots=True)
class Said:
    """A player said something; what, is secret from the seats in `kept_from`."""

    seat: int
    player_id: str
    speech: Speech
    kept_from: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DealCommitted:
    """The server bound itself to a seed for a shuffle to come. The seed is secret."""

    shuffle: int
    commitment: bytes
    server_seed: bytes


@dataclass(frozen=True, slots=True)
class SeedAdded:
    """A player added a seed of his own to a shuffle to come."""

    shuffle: int
    seat: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The deal of this shuffle is over; everybody may know the server's seed."""

    shuffle: int
    server_seed: bytes


FairnessEvent: TypeAlias = DealCommitted | SeedAdded | SeedRevealed


class CreditReason(StrEnum):
    """Why a player was given time back."""

    RESTART = "RESTART"


@dataclass(frozen=True, slots=True)
class ClocksSet:
    """Whose time runs from now on, and until when; those not named have stopped.

    Comes whenever that changes, behind the events that changed it.
    """

    clocks: tuple[SeatClock, ...]


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """A player did not act in time; what follows from it comes behind."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClockCredited:
    """A running clock's deadline was moved on by `credit`."""

    seat: int
    credit: timedelta
    reason: CreditReason


EntryEvent: TypeAlias = InviteRenewed | SeatsReleased | ReadyChanged
RematchEvent: TypeAlias = RematchOffered | RematchMade
ClockEvent: TypeAlias = ClocksSet | TimeRanOut | ClockCredited
LobbyEvent: TypeAlias = (
    MatchCreated
    | PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | OwnerChanged
    | MatchStarted
    | MatchFinished
    | MatchAbandoned
)
MatchEvent: TypeAlias = (
    LobbyEvent | EntryEvent | RematchEvent | Said | FairnessEvent | ClockEvent | rules.Event
)


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a match's log, at its place.

    `recorded_at` is in UTC, to the microsecond. `player_id` and `request_id` are those of the
    command that caused it, empty where there is none; all records of one command share them.
    """

    sequence: int
    recorded_at: datetime
    event: MatchEvent
    player_id: str = ""
    request_id: str = ""


def record_events(
    after: int,
    events: tuple[MatchEvent, ...],
    recorded_at: datetime,
    player_id: str = "",
    request_id: str = "",
) -> tuple[Record, ...]:
    """Return the events as the records that follow sequence `after` (0 for a new match)."""
    return tuple(
        Record(sequence, recorded_at, event, player_id, request_id)
        for sequence, event in enumerate(events, after + 1)
    )
