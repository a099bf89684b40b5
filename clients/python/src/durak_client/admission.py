"""What a match asks of those who want a seat."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class Admission:
    """Who gets a seat at a match, as its maker wants it.

    Who joins by the match's id has to give the `password`, if there is one; who joins by the
    invite code has not.
    """

    password: str = ""
    invite_lifetime: timedelta | None = None
    """How long the invite code is taken, a minute to 30 days; None is the server's choice."""
    require_ready: bool = False
    """The match starts only when every human has said that he is ready (`Match.set_ready`)."""
    reserved_for: tuple[str, ...] = ()
    """The ids of players for each of whom a seat is kept; they join by the match's id."""
    reserved_for_code: int = 0
    """How many seats are kept for those who join by the invite code."""


ANYBODY: Final = Admission()
"""Nothing is asked."""
