"""What a long log costs: bringing its match into memory, and making a move at its end.

Times are of CPU, so that other programs disturb them less. `make bench-load`.
"""

import asyncio
import tempfile
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from durak_server.matches import (
    CreateMatch,
    History,
    JoinMatch,
    MakeMove,
    Match,
    PlayerCommand,
    fold,
)
from durak_server.observe.metrics import Metrics
from durak_server.rules import Move, Preset, legal_moves, pick, preset, to_act
from durak_server.runtime import LiveMatches, Outcome, Surroundings
from durak_server.store import SqliteStore

LENGTHS = (100, 1_000, 10_000)
LOADS = 5
MOVES = 300
MATCH = "match"


class Cost(NamedTuple):
    """Seconds of CPU; the last three are for one event or one move."""

    events: int
    read: float
    fold: float
    move: float
    fold_event: float
    take_event: float


async def cost_of(events: int, folder: Path) -> Cost:
    """Play until a log has so many events, and measure."""
    store = await SqliteStore.open(folder / f"{events}.sqlite")
    live = LiveMatches(Surroundings(store, Metrics("bench")))
    dice = Random(events)
    match = await begin(live)
    while match.sequence < events:
        match = await play(live, match, 1, dice)
    log = await store.read(MATCH)
    begun = process_time()
    for _ in range(LOADS):
        await store.read(MATCH)
    read_at = process_time()
    for _ in range(LOADS):
        History(log)
    folded_at = process_time()
    await play(live, match, MOVES, dice)
    moved_at = process_time()
    steps = list(fold(None, log))
    stepped_at = process_time()
    History().take(steps)
    taken_at = process_time()
    await live.close()
    await store.close()
    return Cost(
        len(log),
        (read_at - begun) / LOADS,
        (folded_at - read_at) / LOADS,
        (moved_at - folded_at) / MOVES,
        (stepped_at - moved_at) / len(log),
        (taken_at - stepped_at) / len(log),
    )


async def begin(live: LiveMatches) -> Match:
    """Begin a match without an end."""
    rules = preset(Preset.PODKIDNOY, seats=2, deals=0)
    await submit(
        live,
        CreateMatch("a", "", "A", MATCH, "CODE", Preset.PODKIDNOY, rules, start_when_full=True),
    )
    return await submit(live, JoinMatch("b", "", "B"))


async def play(live: LiveMatches, match: Match, moves: int, dice: Random) -> Match:
    """Make so many moves."""
    for _ in range(moves):
        player, move = any_move(match, dice)
        match = await submit(live, MakeMove(player, f"r{match.sequence}", move))
    return match


async def submit(live: LiveMatches, command: PlayerCommand) -> Match:
    """Do a command that must not be refused and return the match after it."""
    answer = await live.submit(MATCH, command)
    assert isinstance(answer, Outcome), answer
    return answer.match


def any_move(match: Match, dice: Random) -> tuple[str, Move]:
    """Return a player who may move, and a move of his."""
    assert match.position
    seat = to_act(match.position)[0]
    player = match.seats[seat]
    assert player
    return player.player_id, pick(dice.choice(legal_moves(match.position, seat)), 0)


def main() -> None:
    """Print a line for each length of a log."""
    print("events   read ms   fold ms   move us   fold us/event   take us/event")
    with tempfile.TemporaryDirectory() as folder:
        for events in LENGTHS:
            cost = asyncio.run(cost_of(events, Path(folder)))
            print(
                f"{cost.events:6} {cost.read * 1e3:9.1f} {cost.fold * 1e3:9.1f}"
                f" {cost.move * 1e6:9.0f} {cost.fold_event * 1e6:15.1f}"
                f" {cost.take_event * 1e6:15.1f}"
            )


if __name__ == "__main__":
    main()
