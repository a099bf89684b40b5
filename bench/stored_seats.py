"""Matches of two that stand in a store with their clocks running, and who sits there."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.load import any_move
from durak_server.matches import CreateMatch, JoinMatch, MakeMove, PlayerCommand
from durak_server.observe.metrics import Metrics
from durak_server.rules import Preset, preset
from durak_server.runtime import LiveMatches, Outcome, Surroundings
from durak_server.store import SqliteStore


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of a match, and the last event that he has seen."""

    match_id: str
    player_id: str
    sequence: int


async def stored_seats(file: Path, matches: int, moves: int) -> list[Seat]:
    """Begin so many matches, make so many moves in each, and return both players of each."""
    store = await SqliteStore.open(file)
    live = LiveMatches(Surroundings(store, Metrics("bench")))
    seats = [await _begun(live, f"match-{number}", moves) for number in range(matches)]
    await live.close()
    await store.close()
    return [seat for two in seats for seat in two]


async def _begun(live: LiveMatches, match_id: str, moves: int) -> tuple[Seat, Seat]:
    owner, guest = f"{match_id}-a", f"{match_id}-b"
    rules = preset(Preset.PODKIDNOY, seats=2, deals=0, turn_seconds=600)
    create = CreateMatch(
        owner, "", "A", match_id, match_id, Preset.PODKIDNOY, rules, start_when_full=True
    )
    await _done(live, match_id, create)
    match = (await _done(live, match_id, JoinMatch(guest, "", "B"))).match
    dice = Random(match_id)
    for number in range(moves):
        player_id, move = any_move(match, dice)
        match = (await _done(live, match_id, MakeMove(player_id, f"r{number}", move))).match
    return Seat(match_id, owner, match.sequence), Seat(match_id, guest, match.sequence)


async def _done(live: LiveMatches, match_id: str, command: PlayerCommand) -> Outcome:
    answer = await live.submit(match_id, command)
    assert isinstance(answer, Outcome), answer
    return answer
