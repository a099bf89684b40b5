"""What a person types while his match waits for players."""

import asyncio
from collections.abc import Callable, Coroutine

from durak_client.cli import words
from durak_client.errors import Refused
from durak_client.match import Match
from durak_client.matches import MatchStatus
from durak_client.view import View


class Hosting:
    """Does what typed lines want before the start; `tell` hears later what the server refused."""

    def __init__(self, match: Match, tell: Callable[[str], None]) -> None:
        self._match = match
        self._tell = tell
        self._tasks: set[asyncio.Task[None]] = set()

    def answer(self, line: str, view: View | None) -> str | None:
        """Return what the player is to be told at once; None if the line is none of these."""
        if view is None or view.seat is None or view.status != MatchStatus.OPEN:
            return None
        match line.strip().lower().split():
            case ["ready"]:
                return self._begin(self._match.set_ready())
            case ["unready"]:
                return self._begin(self._match.set_ready(is_ready=False))
            case ["start"]:
                return self._begin(self._match.start())
            case ["remove", number]:
                return self._remove(number, view)
            case _:
                return None

    async def close(self) -> None:
        """Wait until everything is done."""
        await asyncio.gather(*self._tasks)

    def _remove(self, number: str, view: View) -> str:
        named = [seat for seat in view.seats if str(seat.seat + 1) == number and not seat.is_free]
        if not named:
            return words.NOBODY_SITS.format(number=number)
        return self._begin(self._match.remove(named[0].player_id))

    def _begin(self, deed: Coroutine[None, None, object]) -> str:
        task = asyncio.create_task(self._done(deed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return ""

    async def _done(self, deed: Coroutine[None, None, object]) -> None:
        try:
            await deed
        except Refused as refused:
            self._tell(words.REFUSED.format(message=refused))
