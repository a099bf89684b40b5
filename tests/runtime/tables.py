"""Matches in memory without a network: players join and move by commands."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from durak_server.matches import (
    CreateMatch,
    JoinMatch,
    MakeMove,
    Match,
    MatchRefusal,
    StartMatch,
)
from durak_server.observe.metrics import Metrics
from durak_server.rules import Preset, legal_moves, pick, preset, to_act
from durak_server.runtime import (
    SYSTEM_TIME,
    Limits,
    LiveMatch,
    LiveMatches,
    Outcome,
    Surroundings,
    Timekeeper,
)
from durak_server.store import EventStore

Answer = Outcome | MatchRefusal


@asynccontextmanager
async def live_matches(
    store: EventStore,
    limits: Limits | None = None,
    metrics: Metrics | None = None,
    time: Timekeeper = SYSTEM_TIME,
) -> AsyncIterator[LiveMatches]:
    """Matches over a store; they end with the block."""
    around = Surroundings(store, metrics or Metrics("test"), limits or Limits(), time)
    live = LiveMatches(around)
    try:
        yield live
    finally:
        await live.close()


def create(
    match_id: str = "m",
    *,
    seats: int = 2,
    request_id: str = "",
    **options: object,
) -> CreateMatch:
    """The command by which "a" makes a match that starts when full."""
    return CreateMatch(
        "a", request_id, "A", match_id, f"CODE{match_id}", Preset.PODKIDNOY,
        preset(Preset.PODKIDNOY, seats=seats, **options), start_when_full=True,
    )  # fmt: skip


def join(player_id: str, request_id: str = "") -> JoinMatch:
    """The command by which a player takes the next seat."""
    return JoinMatch(player_id, request_id, player_id.upper())


def start() -> StartMatch:
    """The command by which "a" starts."""
    return StartMatch("a", "")


async def playing(live: LiveMatches, match_id: str = "m") -> LiveMatch:
    """Make a match of "a" and "b" and deal."""
    await live.submit(match_id, create(match_id))
    await live.submit(match_id, join("b"))
    return await live.find(match_id)


def next_move(match: Match, request_id: str = "") -> MakeMove:
    """The first legal move of the first player that the deal waits for."""
    assert match.position
    seat = to_act(match.position)[0]
    player = match.seats[seat]
    assert player
    return MakeMove(player.player_id, request_id, pick(legal_moves(match.position, seat)[0], 0))


def done(answer: Answer) -> Outcome:
    """The outcome of a command that was not refused."""
    assert isinstance(answer, Outcome), answer
    return answer
