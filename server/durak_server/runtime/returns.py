"""Who has not come back to a match since the server started, and gets the time for it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from durak_server.matches import CreditLateReturn, Match
from durak_server.runtime.errors import MatchBusy
from durak_server.runtime.surroundings import Surroundings

TRY_AGAIN: Final = timedelta(seconds=1)
"""How long what could not be asked for, or stored, waits."""


class Returns:
    """Waits for the players of a match that was read with its clocks running.

    Back is who follows the match. Until then no turn of his is ended, for as long as he is waited
    for at most. If he needed longer than was allowed to all, `ask` is given the command that makes
    up for it; it raises `MatchBusy` if there is no room.
    """

    def __init__(self, around: Surroundings, ask: Callable[[CreditLateReturn], object]) -> None:
        self._time = around.time
        self._limits = around.limits
        self._ask = ask
        self._missing: set[str] = set()
        self._unpaid: set[str] = set()
        """Those of them who are back, and late, but could not be credited yet."""
        self.pay_at: datetime | None = None
        """When to ask for that once more; None if there is nobody."""
        self._late_from = self._until = around.time.now()

    def expect_all(self, match: Match) -> None:
        """Wait for everybody from now on."""
        now = self._time.now()
        self._missing = {player.player_id for player in match.seats if player}
        self._late_from = now + self._limits.return_allowance
        self._until = now + self._limits.return_limit

    def awaited_until(self, match: Match, seat: int) -> datetime | None:
        """Return until when the player on a seat is waited for; None if he is back."""
        player = match.seats[seat]
        return self._until if player and player.player_id in self._missing else None

    def awaited_on_clock(self, match: Match) -> frozenset[int]:
        """Return the seats on the clock whose turns must not be ended now."""
        if self._time.now() >= self._until:
            return frozenset()
        seats = (clock.seat for clock in match.clocks)
        return frozenset(seat for seat in seats if self.awaited_until(match, seat))

    def note(self, player_id: str, match: Match) -> bool:
        """Take note that somebody follows the match; tell whether he was waited for.

        If he is late, a command was asked for that makes up for it.
        """
        if player_id not in self._missing:
            return False
        self._missing.discard(player_id)
        now, seat = self._time.now(), match.active_seat_of(player_id)
        if seat is not None and now > self._late_from:
            until = min(now, self._until)
            try:
                self._ask(CreditLateReturn(seat, until, self._limits.return_allowance))
            except MatchBusy:
                self._owe(player_id)
        return True

    def note_failure(self, command: CreditLateReturn, match: Match) -> None:
        """Wait on for a player who is back: what makes up for it could not be stored."""
        player = match.seats[command.seat]
        if player:
            self._owe(player.player_id)

    def pay(self, match: Match) -> bool:
        """If it is time, ask once more to credit those who are back; tell whether it was."""
        if not self.pay_at or self._time.now() < self.pay_at:
            return False
        unpaid, self._unpaid, self.pay_at = self._unpaid, set(), None
        for player_id in unpaid:
            self.note(player_id, match)
        return True

    def _owe(self, player_id: str) -> None:
        self._missing.add(player_id)
        self._unpaid.add(player_id)
        self.pay_at = self._time.now() + TRY_AGAIN
