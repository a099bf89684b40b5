"""What players say to each other at the table."""

from durak_client.open_enum import OpenEnum


class Phrase(OpenEnum):
    """What durak players say all the time; show it in the hearer's language."""

    UNSPECIFIED = 0
    HELLO = 1
    GOOD_LUCK = 2
    WELL_PLAYED = 3
    THANKS = 4
    SORRY = 5
    HURRY_UP = 6
    ONE_MOMENT = 7
    BEAT_THAT = 8
    TAKE_THEM = 9
    BAD_LUCK = 10
    ONE_MORE = 11
    GOODBYE = 12


class Reaction(OpenEnum):
    """A feeling; show it as a picture."""

    UNSPECIFIED = 0
    THUMB_UP = 1
    APPLAUSE = 2
    LAUGHTER = 3
    SURPRISE = 4
    SADNESS = 5
    ANGER = 6


Speech = str | Phrase | Reaction
"""One thing said: words of the player's own, to be shown as plain text, or one of the above."""
