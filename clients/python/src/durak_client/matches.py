"""A match as the lobby shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from durak_client.open_enum import OpenEnum

Option = bool | int | str
"""The value of one option of a rule set; enum values by name, such as `NEIGHBOURS`."""


class Preset(OpenEnum):
    """A named set of rules."""

    UNSPECIFIED = 0
    PODKIDNOY = 1
    PEREVODNOY = 2
    PODKIDNOY_FOLK = 3
    PEREVODNOY_FOLK = 4
    PROSTOY = 5
    JAPANESE = 6
    ONLINE = 7


class MatchStatus(OpenEnum):
    """Where a match stands in its life."""

    UNSPECIFIED = 0
    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    ABANDONED = 4

    @property
    def is_over(self) -> bool:
        """Whether nobody plays any more; talk and a rematch may follow."""
        return self in {MatchStatus.FINISHED, MatchStatus.ABANDONED}


class Visibility(OpenEnum):
    """Who finds a match."""

    UNSPECIFIED = 0
    PUBLIC = 1
    UNLISTED = 2


class Spectators(OpenEnum):
    """Who may follow a match without a seat."""

    UNSPECIFIED = 0
    NONE = 1
    LIVE = 2
    DELAYED = 3


class PlayerKind(OpenEnum):
    """What sits on a seat; UNSPECIFIED is a free seat."""

    UNSPECIFIED = 0
    HUMAN = 1
    BOT = 2


class BotLevel(OpenEnum):
    """How a house bot plays."""

    UNSPECIFIED = 0
    RANDOM = 1
    LOWEST = 2


class Presence(OpenEnum):
    """Whether a player is connected; UNSPECIFIED for bots and free seats."""

    UNSPECIFIED = 0
    CONNECTED = 1
    AWAY = 2
    LEFT = 3


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match. Of a free one only the number says anything."""

    seat: int
    kind: PlayerKind
    player_id: str
    name: str
    bot_level: BotLevel
    has_left: bool
    times_fool: int
    presence: Presence = Presence.UNSPECIFIED
    is_ready: bool = False
    """Whether he said, before the start, that he is ready."""

    @property
    def is_free(self) -> bool:
        """Whether nobody sits here."""
        return self.kind == PlayerKind.UNSPECIFIED


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match as it is listed and joined.

    `rules` has every option by its name on the wire. `invite_code` is empty for those who do not
    sit at the match, `deal` is 0 before the first, moments are in UTC.
    """

    match_id: str
    status: MatchStatus
    preset: Preset
    rules: Mapping[str, Option]
    seats: tuple[Seat, ...]
    owner_id: str
    visibility: Visibility
    spectators: Spectators
    invite_code: str
    sequence: int
    created_at: datetime
    updated_at: datetime
    deal: int
    previous_match_id: str = ""
    """The match of which this is the rematch; empty for none."""
    next_match_id: str = ""
    """The rematch of this match; empty if there is none."""
    has_password: bool = False
    """Whether who joins by the id has to give a password."""
    spectator_delay_seconds: int = 0
    """How long after the players delayed spectators see what happens."""
    invite_expires_at: datetime | None = None
    """When `invite_code` is taken no more; None: never, or there is none to be seen."""
    require_ready: bool = False
    """Whether the match starts only when every human has said that he is ready."""
    reserved_seats: int = 0
    """How many of the free seats are kept for players whom the owner named or invited."""

    @property
    def free_seats(self) -> int:
        """How many seats nobody has taken."""
        return sum(seat.is_free for seat in self.seats)
