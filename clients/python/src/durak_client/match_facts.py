"""What happens at a table, between the deals and around them."""

from collections.abc import Mapping
from dataclasses import dataclass

from durak_client.matches import Option, Presence, Preset, Seat, Spectators, Visibility
from durak_client.open_enum import OpenEnum
from durak_client.talk import Speech


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """The match was made, with these rules for good."""

    preset: Preset
    rules: Mapping[str, Option]
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    previous_match_id: str = ""
    """The match of which this is the rematch; empty for none."""
    spectator_delay_seconds: int = 0
    """How long after the players delayed spectators see what happens."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Somebody took a seat."""

    seat: Seat


class LeaveReason(OpenEnum):
    """Why a player has his seat no more."""

    UNSPECIFIED = 0
    LEFT = 1
    REMOVED = 2
    """The owner took it from him, before the start."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody left; the seat is free again if the match had not started."""

    seat: int
    player_id: str
    reason: LeaveReason = LeaveReason.UNSPECIFIED


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A player went away or came back."""

    seat: int
    presence: Presence


@dataclass(frozen=True, slots=True)
class InviteRenewed:
    """Another invite code leads to the match; those who sit at it find it in `MatchInfo`."""


@dataclass(frozen=True, slots=True)
class SeatsReleased:
    """So many seats that were reserved are free for everybody."""

    count: int


@dataclass(frozen=True, slots=True)
class ReadyChanged:
    """A player said that he is ready for the start, or not any more."""

    seat: int
    is_ready: bool


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """Another player is the owner now."""

    owner_id: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The seats are closed and the first deal follows."""


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """All deals are played; how often each seat was the fool, in seat order."""

    times_fool: tuple[int, ...]


class AbandonReason(OpenEnum):
    """Why a match ended before it was played out."""

    UNSPECIFIED = 0
    EVERYONE_LEFT = 1
    EXPIRED = 2
    """No human acted for longer than the server waits, or for too many turns that ran out."""
    TERMINATED = 3
    """The operator ended it."""


@dataclass(frozen=True, slots=True)
class MatchAbandoned:
    """The match ended before it was played out."""

    reason: AbandonReason = AbandonReason.UNSPECIFIED
    text: str = ""
    """What the operator tells those who played; empty if it was not he who ended it."""


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A player wants another match after this one."""

    seat: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    """All wanted another match, and here it is: follow that one now."""

    match_id: str


@dataclass(frozen=True, slots=True)
class Said:
    """A player said something; `speech` is None if the caller does not hear it."""

    seat: int
    player_id: str
    speech: Speech | None
