"""Seats the house bots: each acts through the same door as a player, in its own time."""

import asyncio
import contextvars
from dataclasses import dataclass
from random import Random, SystemRandom
from time import perf_counter

from durak_server.bots.policy import POLICIES
from durak_server.matches import MakeMove, MatchCommand, MatchRefusal, PlayOn
from durak_server.observe.logs import logger
from durak_server.observe.metrics import PlayMetrics
from durak_server.rules import Move
from durak_server.runtime import LiveMatch, LogLost, MatchGone, RuntimeRefusal
from durak_server.store import StoreError

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a bot takes for a move, whatever the move: its time must tell nothing."""

    least_seconds: float = 0.3
    most_seconds: float = 1.2
    retry_seconds: float = 1.0
    """How long it waits when the match or the store cannot take its move."""


class HouseBots:
    """Moves for every bot of the matches that it is told of.

    Args:
        pace: how long a move takes.
        metrics: where the time taken is told.
        dice: what the choices and the time come from.
    """

    def __init__(self, pace: Pace, metrics: PlayMetrics, dice: Random | None = None) -> None:
        self._pace = pace
        self._metrics = metrics
        self._dice = dice or SystemRandom()
        # By the match in memory, not by its id: one that is read again has its bots think anew.
        self._thinking: dict[tuple[LiveMatch, int], asyncio.Task[None]] = {}
        self._is_closed = False

    def attend(self, live: LiveMatch) -> None:
        """Look at a match that was loaded or has changed: whichever bot may act begins to think."""
        if self._is_closed:
            return  # the commands that a closing server still carries out must wake nobody
        for seat in live.bots_to_move():
            key = (live, seat)
            if key not in self._thinking:
                # A context of its own: the call that led here is not the bot's.
                self._thinking[key] = asyncio.create_task(
                    self._play(live, seat),
                    name=f"bot {live.match_id} {seat}",
                    context=contextvars.Context(),
                )

    async def close(self) -> None:
        """Let no bot act any more; a command that was given is carried out."""
        self._is_closed = True
        tasks = list(self._thinking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, live: LiveMatch, seat: int) -> None:
        """Move as long as the match waits for the seat."""
        try:
            while seat in live.bots_to_move() and _moves(live, seat):
                await self._think_and_move(live, seat)
        except (MatchGone, LogLost):
            _log.info("a bot rests: its match has left memory", match=live.match_id, seat=seat)
        except Exception as error:
            _log.error("a bot failed", match=live.match_id, seat=seat, exc_info=error)
        finally:
            del self._thinking[live, seat]

    async def _think_and_move(self, live: LiveMatch, seat: int) -> None:
        begun = perf_counter()
        await asyncio.sleep(self._dice.uniform(self._pace.least_seconds, self._pace.most_seconds))
        table, level = live.view(seat).table, live.match.bot_at(seat)
        if table is None or not table.legal_moves or level is None:
            return
        move = POLICIES[level](table, self._dice)
        self._metrics.bot_thinking_seconds.labels(level.name).observe(perf_counter() - begun)
        await self._submit(live, seat, _command(live, seat, move))

    async def _submit(self, live: LiveMatch, seat: int, command: MatchCommand) -> None:
        """Give a command; what hinders the store or the match now is waited for."""
        log = _log.bind(match=live.match_id, seat=seat)
        try:
            answer = await live.submit(command)
        except (MatchGone, LogLost):
            raise
        except (RuntimeRefusal, StoreError) as error:
            log.warning("a bot waits", why=type(error).__name__)
            await asyncio.sleep(self._pace.retry_seconds)
            return
        if isinstance(answer, MatchRefusal):
            # Another player was faster: look again.
            log.debug("a bot was refused", reason=answer.reason.value)


def _command(live: LiveMatch, seat: int, move: Move) -> MatchCommand:
    """Return a move of the bot on its own seat, or for the player who left his."""
    player = live.match.seats[seat]
    assert player, "the house plays on taken seats only"
    return PlayOn(seat, move) if player.has_left else MakeMove(player.player_id, "", move)


def _moves(live: LiveMatch, seat: int) -> bool:
    table = live.view(seat).table
    return bool(table and table.legal_moves)
