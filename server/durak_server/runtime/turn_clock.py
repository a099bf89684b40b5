"""When the turns of a match end by themselves, how late that is, and when it cannot be stored."""

from collections.abc import Callable
from datetime import datetime

from durak_server.matches import CreditLateReturn, EndTurns, Match, MatchCommand, SeatClock
from durak_server.observe.logs import logger
from durak_server.runtime.errors import MatchBusy
from durak_server.runtime.returns import TRY_AGAIN, Returns
from durak_server.runtime.surroundings import Surroundings
from durak_server.runtime.timekeeper import Reminder

_log = logger(__name__)


class TurnClock:
    """Rings when a player's time is over, the allowance for lag included.

    Then `ask` is given the command to end turns; it raises `MatchBusy` if there is no room for it.
    Turns of those who have not come back since a restart go on, see `Returns`.
    """

    def __init__(
        self,
        match_id: str,
        around: Surroundings,
        ask: Callable[[EndTurns | CreditLateReturn], object],
    ) -> None:
        self._match_id = match_id
        self._time = around.time
        self._allowance = around.limits.lag_allowance
        self._most_in_a_row = around.limits.timeouts_in_a_row
        self._metrics = around.metrics.clocks
        self._ask = ask
        self._returns = Returns(around, ask)
        self._reminder = Reminder(around.time, self._ring)
        self._match: Match | None = None
        self._due: datetime | None = None
        self._has_stopped = False
        self._is_failing = False

    def set(self, match: Match | None) -> None:
        """Ring when the next turn of the match is over; None, or no deadline: not at all."""
        self._match = match
        dues = (self._due_of(match, clock) for clock in match.clocks) if match else ()
        self._due = min(dues, default=None)
        moments = [moment for moment in (self._due, self._returns.pay_at) if moment]
        self._reminder.set(None if self._has_stopped else min(moments, default=None))

    def note_done(self, command: MatchCommand, match: Match | None) -> None:
        """Go by what a command has made of the match; tell how late it was if it ended turns."""
        if isinstance(command, EndTurns):
            self._is_failing = False
            now = self._time.now()
            if self._due and self._due <= now:
                self._metrics.late_seconds.observe((now - self._due).total_seconds())
        self.set(match)

    def note_failure(self, command: MatchCommand, match: Match | None, error: Exception) -> None:
        """Ring once more, but not at once: a command failed, and turns that are over go on.

        If it was to end them, nobody else hears of it.
        """
        if isinstance(command, EndTurns):
            self._metrics.turn_ends_failed.inc()
            if not self._is_failing:
                _log.error("a turn cannot be ended", match=self._match_id, exc_info=error)
            self._is_failing = True
        if isinstance(command, CreditLateReturn) and match:
            self._returns.note_failure(command, match)
        self.set(match)
        if self._due and not self._has_stopped:
            again = self._time.now() + TRY_AGAIN
            self._reminder.set(max(min(self._due, self._returns.pay_at or self._due), again))

    def expect_all(self, match: Match) -> None:
        """End nobody's turn who has not come back, for a while: the match was read again."""
        self._returns.expect_all(match)
        self.set(match)

    def note_return(self, player_id: str, match: Match) -> None:
        """Go by his clock again if he had not come back: somebody follows the match."""
        if self._returns.note(player_id, match):
            self.set(match)

    def stop(self) -> None:
        """Ring no more, whatever happens in the match."""
        self._has_stopped = True
        self.set(None)

    def _ring(self) -> None:
        """Ask for the end of the turns whose time is over; whatever came before counts first."""
        now = self._time.now()
        if self._match and self._returns.pay(self._match):
            self.set(self._match)
            return
        spared = self._returns.awaited_on_clock(self._match) if self._match else frozenset()
        try:
            self._ask(EndTurns(now - self._allowance, spared, self._most_in_a_row))
        except MatchBusy:
            self._reminder.set(now + TRY_AGAIN)

    def _due_of(self, match: Match, clock: SeatClock) -> datetime:
        due = clock.deadline + self._allowance
        return max(due, self._returns.awaited_until(match, clock.seat) or due)
