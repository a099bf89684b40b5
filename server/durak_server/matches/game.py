"""A match as a game: the cards, the moves and the outcome, without the lobby around them.

A game is what players write down and analyse. `game_of` takes it out of a log; `game_text` writes
it and `game_parser` reads it; `game_log` plays it again.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from durak_server import rules
from durak_server.matches.apply import BrokenLog
from durak_server.matches.events import MatchEvent, PlayerLeft
from durak_server.matches.history import History
from durak_server.matches.player import Player, Presence
from durak_server.matches.state import MatchStatus
from durak_server.rules import (
    Card,
    DealEnded,
    DealEndReason,
    Dump,
    Move,
    MoveKind,
    Preset,
    RuleSet,
    mask_of,
)

_MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved, so many milliseconds after the match was made."""

    seat: int
    move: Move
    after_ms: int


@dataclass(frozen=True, slots=True)
class Left:
    """A seat left the deal for good."""

    seat: int
    after_ms: int


Step: TypeAlias = Moved | Left


@dataclass(frozen=True, slots=True)
class GameDeal:
    """One deal: the whole deck, first card dealt first, and the steps of each bout.

    `result` is None for a deal that was not played to its end; `seats` are those that got cards,
    ascending, and empty if all did.
    """

    order: tuple[Card, ...]
    dealer: int
    leader: int
    bouts: tuple[tuple[Step, ...], ...]
    result: DealEnded | None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A whole match. `times_fool` is by seat, free seats (None) included."""

    match_id: str
    preset: Preset
    rules: RuleSet
    began_at: datetime
    seats: tuple[Player | None, ...]
    status: MatchStatus
    times_fool: tuple[int, ...]
    deals: tuple[GameDeal, ...]


def game_of(history: History) -> Game:
    """Return the game that was played in a match.

    Raises:
        BrokenLog: there are no records.
    """
    match = history.match
    if match is None:
        raise BrokenLog("there are no records")
    deals: list[_OpenDeal] = []
    dumps_by_rule = match.rules.dump is Dump.MUST
    for record in history.records(0):
        if dumps_by_rule and isinstance(record.event, rules.Dumped):
            continue  # nobody's move, but what follows the move before (rules.md, 4.9)
        after_ms = (record.recorded_at - match.created_at) // _MILLISECOND
        _note(deals, record.event, after_ms)
    return Game(
        match_id=match.match_id,
        preset=match.preset,
        rules=match.rules,
        began_at=match.created_at,
        seats=tuple(
            player and replace(player, presence=Presence.CONNECTED) for player in match.seats
        ),
        status=match.status,
        times_fool=match.times_fool,
        deals=tuple(deal.closed() for deal in deals),
    )


@dataclass(slots=True)
class _OpenDeal:
    """A deal to which steps are still added."""

    start: rules.DealStarted
    bouts: list[list[Step]] = field(default_factory=list)
    result: DealEnded | None = None
    last_leaver: int | None = None
    """Who gave his seat up last; the deal is void if he was still in it."""

    def closed(self) -> GameDeal:
        bouts = tuple(map(tuple, self.bouts))
        start = self.start
        return GameDeal(start.order, start.dealer, start.leader, bouts, self.result, start.seats)


def _note(deals: list[_OpenDeal], event: MatchEvent, after_ms: int) -> None:
    """Add what an event tells of the game."""
    match event:
        case rules.DealStarted():
            deals.append(_OpenDeal(event))
        case rules.BoutStarted():
            deals[-1].bouts.append([])
        case rules.Forfeited(seat):
            deals[-1].bouts[-1].append(Left(seat, after_ms))
        case PlayerLeft(seat) if deals:
            deals[-1].last_leaver = seat
        case rules.DealEnded():
            _note_end(deals[-1], event, after_ms)
        case _:
            moved = _move_of(event)
            if moved:
                seat, move = moved
                deals[-1].bouts[-1].append(Moved(seat, move, after_ms))


def _note_end(deal: _OpenDeal, ended: DealEnded, after_ms: int) -> None:
    deal.result = ended
    if ended.reason is DealEndReason.VOID and deal.last_leaver is not None:
        deal.bouts[-1].append(Left(deal.last_leaver, after_ms))


def _move_of(event: MatchEvent) -> tuple[int, Move] | None:
    """Return the move that caused an event, and whose it was; None if none did directly."""
    match event:
        case rules.Led(seat, cards):
            return seat, Move(MoveKind.ATTACK, mask_of(cards))
        case rules.ThrownIn(seat, cards):
            return seat, Move(MoveKind.THROW_IN, mask_of(cards))
        case rules.Passed(seat):
            return seat, Move(MoveKind.PASS)
        case rules.Retracted(seat, card):
            return seat, Move(MoveKind.RETRACT, mask_of((card,)))
        case rules.Dumped(seat, cards):
            return seat, Move(MoveKind.DUMP, mask_of(cards))
        case rules.RedealClaimed(seat):
            return seat, Move(MoveKind.CLAIM_REDEAL)
        case _:
            return _defence_of(event)


def _defence_of(event: MatchEvent) -> tuple[int, Move] | None:
    """Return the same for a move of the defender."""
    match event:
        case rules.Beaten(seat, target, card):
            return seat, Move(MoveKind.BEAT, mask_of((card,)), target)
        case rules.Transferred(seat, cards):
            return seat, Move(MoveKind.TRANSFER, mask_of(cards))
        case rules.Shown(seat, card):
            return seat, Move(MoveKind.SHOW, mask_of((card,)))
        case rules.TakeDeclared(seat):
            return seat, Move(MoveKind.TAKE)
        case _:
            return None
