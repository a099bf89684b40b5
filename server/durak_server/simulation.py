"""Deals between house bots in this process, and how often each of them is the fool."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final

from durak_server.bots import POLICIES
from durak_server.matches import BotLevel
from durak_server.rules import Move, MoveGroup, Position, RuleSet, view
from durak_server.rules.simulate import Chooser, Dice, choose_uniformly, openings, play_out

_Z: Final = 1.959963984540054
"""So many standard deviations to both sides of the mean hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share estimated from counts, with its 95 % interval (Wilson's)."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat did."""

    seat: int
    bot: BotLevel
    fools: int
    rate: Rate


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of a number of deals. All but `cpu_seconds` depends on the seed alone."""

    deals: int
    moves: int
    without_fool: int
    """Deals that nobody lost: draws and claims for a new deal."""
    seats: tuple[SeatResult, ...]
    cpu_seconds: float

    @property
    def deals_per_second(self) -> float:
        """Deals played in a second of one core."""
        return self.deals / max(self.cpu_seconds, 1e-9)

    @property
    def moves_per_second(self) -> float:
        """Moves made in a second of one core."""
        return self.moves / max(self.cpu_seconds, 1e-9)


def run_simulation(
    rules: RuleSet,
    bots: Sequence[BotLevel],
    deals: int,
    seed: int,
    tell: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Play so many deals, one bot for each seat; `tell` hears how many are over."""
    dice = Random(seed)
    choose = _chooser(bots, dice)
    fools = [0] * rules.seats
    moves = without_fool = 0
    start = time.process_time()
    for number, position in enumerate(openings(rules, deals, dice), start=1):
        moves += play_out(position, dice, choose)
        losers = position.result.fools if position.result else ()
        for seat in losers:
            fools[seat] += 1
        without_fool += not losers
        tell(number)
    seconds = time.process_time() - start
    seats = tuple(
        SeatResult(seat, bot, lost, wilson(lost, deals))
        for seat, (bot, lost) in enumerate(zip(bots, fools, strict=True))
    )
    return Simulation(deals, moves, without_fool, seats, seconds)


def wilson(hits: int, trials: int) -> Rate:
    """Return the share of hits in at least one trial, with its 95 % interval."""
    share = hits / trials
    spread = _Z * _Z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * sqrt(share * (1 - share) / trials + spread / trials / 4) / (1 + spread)
    return Rate(share, max(middle - half, 0.0), min(middle + half, 1.0))


def _chooser(bots: Sequence[BotLevel], random: Random) -> Chooser | None:
    """Return how the seats choose; None when all of them play at random."""
    if set(bots) == {BotLevel.RANDOM}:
        return None

    def choose(position: Position, seat: int, groups: list[MoveGroup], dice: Dice) -> Move:
        if bots[seat] is BotLevel.RANDOM:
            return choose_uniformly(position, seat, groups, dice)
        return POLICIES[bots[seat]](view(position, seat), random)

    return choose
