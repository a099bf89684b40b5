"""Who goes out, and how a deal ends (rules.md, 8)."""

from typing import Final

from durak_server.rules import effects
from durak_server.rules.cards import size_of
from durak_server.rules.events import DealEnded, DealEndReason, Record, WentOut
from durak_server.rules.law import RANK_MASKS, SEAT_BITS
from durak_server.rules.options import Endgame, Places, SimultaneousPlaces
from durak_server.rules.position import Position
from durak_server.rules.seating import seats_of

BARREN_BOUND: Final = 60
"""So many bouts in a row without progress end the deal as a draw (rules.md, 8.6)."""

_EVEN_SEATS: Final = 0b010101
_SIXES: Final = RANK_MASKS[4]


def let_out(position: Position, record: Record) -> None:
    """Let those go out who have no cards (rules.md, 8.1 and 8.2); the stock must be empty."""
    if not position.in_play & ~position.holding:
        return
    leaving = _leaving(position)
    place = 1 + sum([len(seats) for seats in position.out])
    shared = position.law.rules.simultaneous_places is SimultaneousPlaces.SHARED
    for index, seat in enumerate(leaving):
        seat_place = place if shared else place + index
        effects.go_out(position, seat, seat_place)
        if record is not None:
            record.append(WentOut(seat, seat_place))


def _leaving(position: Position) -> list[int]:
    """Return who goes out now, by the moment of the last card."""
    emptied = position.emptied
    leaving = [
        seat
        for seat, hand in enumerate(position.hands)
        if not hand and position.in_play & SEAT_BITS[seat]
    ]
    if len(leaving) > 1:
        leaving.sort(key=lambda seat: emptied.index(seat) if seat in emptied else -1)
        together = len(leaving) == position.in_play.bit_count()
        if together and position.law.rules.endgame is Endgame.FIRST_OUT_WINS:
            leaving.pop()
    return leaving


def finish_if_decided(position: Position, record: Record) -> bool:
    """End the deal if it has a result, and return whether it has."""
    in_play = position.in_play
    if not in_play:
        finish(position, 0, DealEndReason.DRAW, record)
    elif position.law.teams and not (in_play & _EVEN_SEATS and in_play & ~_EVEN_SEATS):
        finish(position, side_of(position, in_play), DealEndReason.TEAM, record)
    elif not in_play & (in_play - 1):
        finish(position, in_play, DealEndReason.FOOL, record)
    elif position.barren >= BARREN_BOUND:
        finish(position, 0, DealEndReason.BOUND, record)
    else:
        return False
    return True


def side_of(position: Position, seats: int) -> int:
    """Return all seats of the side that `seats`, all of one side, belong to."""
    even = position.law.everyone & _EVEN_SEATS
    return even if seats & even else position.law.everyone & ~even


def finish(position: Position, fools: int, reason: DealEndReason, record: Record) -> None:
    """End the deal; those who left are fools beside `fools` (rules.md, 8.7)."""
    losing = fools
    for seat in position.forfeited:
        losing |= SEAT_BITS[seat]
    played_out = reason in (DealEndReason.FOOL, DealEndReason.TEAM)
    epaulettes = 0
    if position.law.rules.epaulettes and played_out and fools & SEAT_BITS[position.defender]:
        epaulettes = size_of(position.finishing & _SIXES)
    result = DealEnded(seats_of(losing), _ranking(position, losing), epaulettes, reason)
    effects.end_deal(position, result)
    if record is not None:
        record.append(result)


def _ranking(position: Position, losing: int) -> tuple[tuple[int, ...], ...]:
    if position.law.rules.places is Places.FOOL_ONLY:
        return ()
    if position.law.teams:
        sides = (seats_of(position.law.everyone & ~losing), seats_of(losing))
        return tuple(side for side in sides if side)
    still_in = seats_of(position.in_play)
    stayed = (*position.out, still_in) if still_in else position.out
    return (*stayed, *((seat,) for seat in reversed(position.forfeited)))
