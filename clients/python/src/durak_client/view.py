"""What a viewer may know of a match at one moment: enough to draw the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_client.cards import Card, Suit
from durak_client.matches import MatchStatus, Seat
from durak_client.moves import LegalMove, Move
from durak_client.open_enum import OpenEnum


class Phase(OpenEnum):
    """What a deal waits for."""

    UNSPECIFIED = 0
    LEAD = 1
    DEFENCE = 2
    TAKING = 3
    DUMP = 4
    OVER = 5


class DealEnd(OpenEnum):
    """Why a deal ended."""

    UNSPECIFIED = 0
    FOOL = 1
    DRAW = 2
    ENDLESS = 3
    FORFEIT = 4
    REDEAL = 5
    VOID = 6


@dataclass(frozen=True, slots=True)
class TablePair:
    """An attack card and the card that covers it, None while it is uncovered."""

    attack: Card
    cover: Card | None
    attack_seat: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat of the deal. Only with open cards has any seat but the viewer's own a `hand`.

    `known_cards` are those of the hand that the whole table has seen, `place` is 0 while he plays.
    `deadline`, in UTC, is when his time is over, None while no clock of his runs; `bank_left` is
    his reserve, None if the rules have no clock.
    """

    seat: int
    hand_size: int
    hand: tuple[Card, ...]
    known_cards: tuple[Card, ...]
    has_passed: bool
    is_out: bool
    place: int
    may_act: bool
    deadline: datetime | None = None
    bank_left: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Seats that share one place, 1 for the first."""

    number: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended: the fools (none in a draw) and the places, first the winners."""

    fools: tuple[int, ...]
    places: tuple[Place, ...]
    epaulettes: int
    reason: DealEnd


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as the viewer sees it; the words are those of the rules.

    `room` is how many attack cards may still be laid in this bout. `trump_card` is the card that
    was turned up, wherever it is now. `result` is None until the phase is OVER.
    """

    number: int
    phase: Phase
    dealer: int
    trump: Suit
    trump_card: Card | None
    stock_size: int
    discard_size: int
    bout: int
    leader: int
    main_attacker: int
    defender: int
    room: int
    table: tuple[TablePair, ...]
    seats: tuple[SeatView, ...]
    result: DealResult | None

    def seat(self, number: int) -> SeatView | None:
        """Return the seat with this number, None if it was not dealt in."""
        return next((seat for seat in self.seats if seat.seat == number), None)


@dataclass(frozen=True, slots=True)
class View:
    """A match as one viewer may see it after the event numbered `sequence`.

    `seat` is None for a spectator, `deal` before the first deal. `legal_moves` is empty when the
    viewer is not asked.
    """

    match_id: str
    sequence: int
    status: MatchStatus
    seat: int | None
    seats: tuple[Seat, ...]
    deal: Deal | None
    legal_moves: tuple[LegalMove, ...]

    def moves(self) -> Iterator[Move]:
        """Iterate over every legal move; groups with many cards hold very many."""
        for group in self.legal_moves:
            yield from group

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's cards, ascending by number; none for a spectator."""
        if self.deal is None or self.seat is None:
            return ()
        mine = self.deal.seat(self.seat)
        return mine.hand if mine is not None else ()

    @property
    def trump(self) -> Suit:
        """The trump suit; UNSPECIFIED before the first deal."""
        return self.deal.trump if self.deal is not None else Suit.UNSPECIFIED

    @property
    def fools(self) -> tuple[int, ...]:
        """The seats that lost the last deal; none while it is played or in a draw."""
        if self.deal is None or self.deal.result is None:
            return ()
        return self.deal.result.fools

    def name_of(self, seat: int) -> str:
        """Return the name of the player on `seat`, `seat N` if nobody is known there."""
        for player in self.seats:
            if player.seat == seat and player.name:
                return player.name
        return f"seat {seat}"
