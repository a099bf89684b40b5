"""A match as the lobby lists it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_server.matches.admission import ANYBODY, Admission
from durak_server.matches.player import Player, PlayerKind
from durak_server.matches.reservations import reserved_seats
from durak_server.matches.state import Match, MatchStatus, Spectators, Visibility
from durak_server.rules import Leave, Preset, RuleSet


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """What can be told of a match without its deal. The invite code is for its players only."""

    match_id: str
    status: MatchStatus
    preset: Preset
    rules: RuleSet
    seats: tuple[Player | None, ...]
    times_fool: tuple[int, ...]
    """Deals in which each seat was the fool."""
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    invite_code: str
    sequence: int
    created_at: datetime
    updated_at: datetime
    deal: int
    previous_match_id: str = ""
    next_match_id: str = ""
    admission: Admission = ANYBODY
    """Secret, but for what it asks for."""
    spectator_delay: timedelta = timedelta(0)
    invite_expires_at: datetime | None = None

    @property
    def has_free_seat(self) -> bool:
        """Whether there is a free seat that is not reserved."""
        is_open = self.status is MatchStatus.OPEN
        return is_open and self.seats.count(None) > self.reserved_seats

    @property
    def reserved_seats(self) -> int:
        """How many free seats are not for everybody."""
        return reserved_seats(self.admission, self.seats)

    @property
    def takes_anybody(self) -> bool:
        """Whether whoever comes along may sit down."""
        is_public = self.visibility is Visibility.PUBLIC
        asks = self.admission.password is not None or self.admission.requires_ready
        return self.has_free_seat and is_public and not asks

    @property
    def sitting(self) -> tuple[str, ...]:
        """The ids of the humans who sit here and have not left."""
        return tuple(
            player.player_id
            for player in self.seats
            if player and player.kind is PlayerKind.HUMAN and not player.has_left
        )

    @property
    def has_bots(self) -> bool:
        """Whether the house plays at the match, on a seat of its own or for who left."""
        plays_on = self.rules.leave is Leave.BOT
        return any(
            player.kind is PlayerKind.BOT or (player.has_left and plays_on)
            for player in self.seats
            if player
        )


def summary(match: Match) -> MatchSummary:
    """Return the match as the lobby lists it."""
    return MatchSummary(
        match_id=match.match_id,
        status=match.status,
        preset=match.preset,
        rules=match.rules,
        seats=match.seats,
        times_fool=match.times_fool,
        owner_id=match.owner_id,
        visibility=match.visibility,
        spectators=match.spectators,
        invite_code=match.invite_code,
        sequence=match.sequence,
        created_at=match.created_at,
        updated_at=match.updated_at,
        deal=match.deal,
        previous_match_id=match.previous_match_id,
        next_match_id=match.next_match_id,
        admission=match.admission,
        spectator_delay=match.spectator_delay,
        invite_expires_at=match.invite_expires_at,
    )
