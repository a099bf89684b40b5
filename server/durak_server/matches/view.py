"""A match as one viewer may see it."""

from dataclasses import dataclass, replace
from datetime import timedelta

from durak_server import rules
from durak_server.matches.player import Player
from durak_server.matches.redact import Openly, Viewer
from durak_server.matches.state import Match, MatchStatus, SeatClock
from durak_server.rules import Card, cards_of


@dataclass(frozen=True, slots=True)
class MatchView:
    """What the viewer on `seat`, None for a spectator, may know of a match at one sequence.

    `table` is the deal being played or played last, legal moves included; None before the
    first. Nobody may act in it once the match is over. `hands` are those of all seats, ascending,
    if all cards are open, else empty.
    """

    match_id: str
    sequence: int
    status: MatchStatus
    seat: int | None
    seats: tuple[Player | None, ...]
    times_fool: tuple[int, ...]
    deal: int
    table: rules.View | None
    clocks: tuple[SeatClock, ...]
    """The clocks that run."""
    banks: tuple[timedelta, ...]
    """The reserve of each seat when its clock last stopped; empty before the first deal."""
    hands: tuple[tuple[Card, ...], ...] = ()


def match_view(match: Match, viewer: Viewer) -> MatchView:
    """Return what the viewer may know of the match."""
    seat = None if viewer is Openly.OPEN else viewer
    hands = match.position.hands if match.position and viewer is Openly.OPEN else ()
    return MatchView(
        match_id=match.match_id,
        sequence=match.sequence,
        status=match.status,
        seat=seat,
        seats=match.seats,
        times_fool=match.times_fool,
        deal=match.deal,
        table=_table(match, seat),
        hands=tuple(map(cards_of, hands)),
        clocks=match.clocks,
        banks=match.banks,
    )


def _table(match: Match, seat: int | None) -> rules.View | None:
    if match.position is None:
        return None
    table = rules.view(match.position, seat)
    if match.status is MatchStatus.PLAYING:
        return table
    return replace(table, to_act=(), legal_moves=())
