"""Gives back what a store costs those on the clock while it takes nothing, or is slow."""

from datetime import datetime, timedelta
from typing import Final

from durak_server.matches import CreditClocks, CreditLateReturn, EndTurns, MatchCommand
from durak_server.runtime.ledger import Ledger
from durak_server.runtime.surroundings import Surroundings
from durak_server.store import StoreError

_SLOW: Final = timedelta(seconds=1)
"""What an append may take without anybody getting it back."""


class Stoppage:
    """The time in which a match in memory could take no moves (rules.md, 15.5).

    Who is on the clock is credited before the first command after it, so that nobody's turn is
    ended for what he could not do.
    """

    def __init__(self, ledger: Ledger, around: Surroundings) -> None:
        self._ledger = ledger
        self._time = around.time
        self._allowance = around.limits.return_allowance
        self._since: datetime | None = None

    def note_failure(self, error: Exception, begun: datetime) -> None:
        """Go by it that a command `begun` at a moment could not be stored."""
        if isinstance(error, StoreError) and self._since is None:
            self._since = begun

    async def make_up(self, command: MatchCommand) -> None:
        """Credit the clocks that run with what was lost since the first failure, before a command.

        While that cannot be stored, turns must not be ended; other commands fail by themselves, or
        need no store. A late return is credited with more, and so comes before.

        Raises:
            StoreError, LogLost: it goes on.
        """
        if isinstance(command, CreditLateReturn):
            return
        if self._since and self._runs():
            credit = CreditClocks(self._time.now(), self._since, self._allowance)
            try:
                await self._ledger.carry_out(credit)
            except StoreError:
                if isinstance(command, EndTurns):
                    raise
                return
        self._since = None

    async def make_up_for_slowness(self, begun: datetime) -> None:
        """Credit the clocks that run if a command `begun` at a moment took long to be stored.

        What it began, a turn say, was known to nobody meanwhile.

        Raises:
            LogLost: nobody knows whether that was stored.
        """
        now = self._time.now()
        if now - begun >= _SLOW and self._runs():
            try:
                await self._ledger.carry_out(CreditClocks(now, begun))
            except StoreError as error:
                self.note_failure(error, begun)

    def _runs(self) -> bool:
        match = self._ledger.history.match
        return bool(match and match.clocks)
