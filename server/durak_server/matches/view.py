"""A match as one viewer may see it."""

from dataclasses import dataclass

from durak_server import rules
from durak_server.matches.state import Match, MatchStatus, Player


@dataclass(frozen=True, slots=True)
class MatchView:
    """What the viewer on `seat`, None for a spectator, may know of a match at one sequence.

    `table` is the deal being played or played last, legal moves included; None before the
    first. Nobody may act in it once the match is over.
    """

    match_id: str
    sequence: int
    status: MatchStatus
    seat: int | None
    seats: tuple[Player | None, ...]
    times_fool: tuple[int, ...]
    deal: int
    table: rules.View | None
