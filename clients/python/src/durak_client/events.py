"""The facts of a match, as one viewer may know them."""

import re
from dataclasses import dataclass
from datetime import datetime

from durak_client.deal_facts import (
    Beaten,
    BoutEnded,
    BoutOutcome,
    BoutStarted,
    ClockCredited,
    ClocksSet,
    CreditReason,
    DealCommitted,
    DealEnded,
    DealStarted,
    Drew,
    Dumped,
    Forfeited,
    Led,
    Passed,
    RedealClaimed,
    Retracted,
    ReturnedCards,
    SeatClock,
    SeedAdded,
    SeedRevealed,
    Shown,
    TakeDeclared,
    ThrownIn,
    TimeRanOut,
    Transferred,
    WentOut,
)
from durak_client.match_facts import (
    AbandonReason,
    InviteRenewed,
    LeaveReason,
    MatchAbandoned,
    MatchCreated,
    MatchFinished,
    MatchStarted,
    OwnerChanged,
    PlayerJoined,
    PlayerLeft,
    PresenceChanged,
    ReadyChanged,
    RematchMade,
    RematchOffered,
    Said,
    SeatsReleased,
)
from durak_client.matches import MatchInfo
from durak_client.view import View

__all__ = (
    "AbandonReason",
    "Beaten",
    "BoutEnded",
    "BoutOutcome",
    "BoutStarted",
    "ClockCredited",
    "ClocksSet",
    "CreditReason",
    "DealCommitted",
    "DealEnded",
    "DealStarted",
    "Drew",
    "Dumped",
    "Event",
    "Fact",
    "Forfeited",
    "InviteRenewed",
    "LeaveReason",
    "Led",
    "MatchAbandoned",
    "MatchCreated",
    "MatchFinished",
    "MatchStarted",
    "OwnerChanged",
    "Passed",
    "PlayerJoined",
    "PlayerLeft",
    "PresenceChanged",
    "ReadyChanged",
    "RedealClaimed",
    "RematchMade",
    "RematchOffered",
    "Retracted",
    "ReturnedCards",
    "Said",
    "SeatClock",
    "SeatsReleased",
    "SeedAdded",
    "SeedRevealed",
    "Shown",
    "TakeDeclared",
    "ThrownIn",
    "TimeRanOut",
    "Transferred",
    "UnknownFact",
    "Update",
    "WentOut",
)


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """Something that this version of the client does not know; the view is right all the same."""


Fact = (
    MatchCreated
    | PlayerJoined
    | PlayerLeft
    | PresenceChanged
    | InviteRenewed
    | SeatsReleased
    | ReadyChanged
    | OwnerChanged
    | MatchStarted
    | MatchFinished
    | MatchAbandoned
    | RematchOffered
    | RematchMade
    | Said
    | DealCommitted
    | SeedAdded
    | SeedRevealed
    | DealStarted
    | BoutStarted
    | Led
    | ThrownIn
    | Beaten
    | Transferred
    | Shown
    | TakeDeclared
    | Passed
    | Retracted
    | Dumped
    | RedealClaimed
    | BoutEnded
    | Drew
    | WentOut
    | Forfeited
    | DealEnded
    | ClocksSet
    | TimeRanOut
    | ClockCredited
    | UnknownFact
)


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered fact: sequences are 1, 2, 3 ... without gaps, `recorded_at` is in UTC."""

    sequence: int
    recorded_at: datetime
    fact: Fact

    @property
    def kind(self) -> str:
        """The name on the wire, such as `thrown_in`; `unknown` for a kind not known here."""
        if isinstance(self.fact, UnknownFact):
            return "unknown"
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.fact).__name__).lower()


@dataclass(frozen=True, slots=True)
class Update:
    """What is new in a followed match: the events since the update before, and the view after them.

    `view` is None where the view mode asks for none, `info` comes with the first update of each
    connection. After `is_final` nothing follows.
    """

    match_id: str
    sequence: int
    events: tuple[Event, ...]
    view: View | None
    info: MatchInfo | None
    is_final: bool
