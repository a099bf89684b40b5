"""What a player can say at the table."""

from dataclasses import dataclass
from enum import StrEnum


class Phrase(StrEnum):
    """What durak players say all the time, in whatever language."""

    HELLO = "HELLO"
    GOOD_LUCK = "GOOD_LUCK"
    WELL_PLAYED = "WELL_PLAYED"
    THANKS = "THANKS"
    SORRY = "SORRY"
    HURRY_UP = "HURRY_UP"
    ONE_MOMENT = "ONE_MOMENT"
    BEAT_THAT = "BEAT_THAT"
    TAKE_THEM = "TAKE_THEM"
    BAD_LUCK = "BAD_LUCK"
    ONE_MORE = "ONE_MORE"
    GOODBYE = "GOODBYE"


class Reaction(StrEnum):
    """A feeling."""

    THUMB_UP = "THUMB_UP"
    APPLAUSE = "APPLAUSE"
    LAUGHTER = "LAUGHTER"
    SURPRISE = "SURPRISE"
    SADNESS = "SADNESS"
    ANGER = "ANGER"


@dataclass(frozen=True, slots=True)
class Speech:
    """One thing said: words of the player's own, a phrase, or a reaction.

    Raises:
        ValueError: it is none of them, or several.
    """

    text: str = ""
    phrase: Phrase | None = None
    reaction: Reaction | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing, or several things."""
        if sum(map(bool, (self.text, self.phrase, self.reaction))) != 1:
            raise ValueError("a speech is one thing said")
