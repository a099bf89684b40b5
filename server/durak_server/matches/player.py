"""Who sits at a match."""

from dataclasses import dataclass
from enum import StrEnum


class PlayerKind(StrEnum):
    """What sits on a seat."""

    HUMAN = "HUMAN"
    BOT = "BOT"


class BotLevel(StrEnum):
    """How a house bot plays."""

    RANDOM = "RANDOM"
    LOWEST = "LOWEST"


class Presence(StrEnum):
    """Whether a player is connected, as far as the table has been told."""

    CONNECTED = "CONNECTED"
    AWAY = "AWAY"


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat. `bot_level` is set for bots only; `presence` says nothing of these.

    One who left during the play keeps his seat, marked `has_left`; he cannot come back.
    """

    player_id: str
    name: str
    kind: PlayerKind = PlayerKind.HUMAN
    bot_level: BotLevel | None = None
    has_left: bool = False
    presence: Presence = Presence.CONNECTED
    is_ready: bool = False
    """Whether he has said, before the start, that the match may start. It says nothing of bots."""
    is_invited: bool = False
    """Whether he came by the invite code to a match that has seats for such players."""
