"""Why a match refuses a command: a reason to branch on and facts that a person can read."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from durak_server import rules


class MatchReason(StrEnum):
    """The closed list of a match's own reasons; what the rules forbid has `rules.Reason`."""

    INVALID_FIELD = "INVALID_FIELD"
    MATCH_NOT_FOUND = "MATCH_NOT_FOUND"
    MATCH_EXISTS = "MATCH_EXISTS"
    NOT_SEATED = "NOT_SEATED"
    NOT_OWNER = "NOT_OWNER"
    SPECTATORS_REFUSED = "SPECTATORS_REFUSED"
    MATCH_FULL = "MATCH_FULL"
    SEAT_TAKEN = "SEAT_TAKEN"
    SEATS_FREE = "SEATS_FREE"
    MATCH_NOT_STARTED = "MATCH_NOT_STARTED"
    MATCH_STARTED = "MATCH_STARTED"
    MATCH_OVER = "MATCH_OVER"
    MATCH_NOT_OVER = "MATCH_NOT_OVER"
    PLAYER_LEFT = "PLAYER_LEFT"
    PLAYER_NOT_SEATED = "PLAYER_NOT_SEATED"
    PLAYER_REMOVED = "PLAYER_REMOVED"
    PASSWORD_WRONG = "PASSWORD_WRONG"
    INVITE_EXPIRED = "INVITE_EXPIRED"
    PLAYERS_NOT_READY = "PLAYERS_NOT_READY"
    SEED_GIVEN = "SEED_GIVEN"
    SEEDS_CLOSED = "SEEDS_CLOSED"
    STALE_SEQUENCE = "STALE_SEQUENCE"
    TALK_FORBIDDEN = "TALK_FORBIDDEN"
    PHRASES_ONLY = "PHRASES_ONLY"


_TEXTS: Final[Mapping[MatchReason, str]] = {
    MatchReason.MATCH_NOT_FOUND: "There is no such match.",
    MatchReason.MATCH_EXISTS: "The id belongs to another match.",
    MatchReason.NOT_SEATED: "The player has no seat in this match.",
    MatchReason.NOT_OWNER: "Only the owner of the match may do this.",
    MatchReason.SPECTATORS_REFUSED: "The match is shown to its players only.",
    MatchReason.MATCH_FULL: "Every seat is taken.",
    MatchReason.SEAT_TAKEN: "Seat {seat} is taken.",
    MatchReason.SEATS_FREE: "Seats are free: {free}.",
    MatchReason.MATCH_NOT_STARTED: "The match has not started.",
    MatchReason.MATCH_STARTED: "The match has started.",
    MatchReason.MATCH_OVER: "The match is over.",
    MatchReason.MATCH_NOT_OVER: "The match is not over.",
    MatchReason.PLAYER_LEFT: "The player left this match and cannot come back.",
    MatchReason.PLAYER_NOT_SEATED: "That player has no seat in this match.",
    MatchReason.PLAYER_REMOVED: "The owner removed the player from this match.",
    MatchReason.PASSWORD_WRONG: "The match has a password, and this is not it.",
    MatchReason.INVITE_EXPIRED: "The invite code has expired; the owner can make another.",
    MatchReason.PLAYERS_NOT_READY: "Players are not ready, on seats: {seats}.",
    MatchReason.SEED_GIVEN: "The player has added a seed to this shuffle already.",
    MatchReason.SEEDS_CLOSED: "The commitment is not that of the next shuffle.",
    MatchReason.STALE_SEQUENCE: "The last event is {sequence}, not {expected}.",
    MatchReason.TALK_FORBIDDEN: "Nobody may talk at this table.",
    MatchReason.PHRASES_ONLY: "Phrases and reactions alone may be said at this table.",
}


@dataclass(frozen=True, slots=True)
class MatchRefusal:
    """A command that was not done; nothing has changed.

    `facts` are pairs of a name and a value, and name only what the asker may know. With
    INVALID_FIELD they are pairs of a field (`seat`, `rules.deck` ...) and what is wrong with it.
    """

    reason: MatchReason | rules.Reason
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The refusal as a sentence."""
        if isinstance(self.reason, rules.Reason):
            return rules.Refusal(self.reason, self.facts).text
        if self.reason is MatchReason.INVALID_FIELD:
            return "; ".join(f"{field}: {problem}" for field, problem in self.facts)
        if self.reason is MatchReason.MATCH_FULL and self.facts:
            return "The free seats are reserved."
        return _TEXTS[self.reason].format_map(dict(self.facts))
