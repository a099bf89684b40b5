"""What a person types to talk to the table, or not to hear somebody."""

import asyncio
from collections.abc import Callable

from durak_client.cli import talk_words, words
from durak_client.errors import Refused
from durak_client.match import Match
from durak_client.talk import Speech
from durak_client.view import View


class Talking:
    """Does what typed lines want of table talk; `tell` hears later what the server refused."""

    def __init__(self, match: Match, tell: Callable[[str], None]) -> None:
        self._match = match
        self._tell = tell
        self._tasks: set[asyncio.Task[None]] = set()

    def answer(self, line: str, view: View | None) -> str | None:
        """Return what the player is to be told at once; None if the line is no talk."""
        verb, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if not rest or view is None:
            return None
        match verb.lower():
            case "say":
                self._begin(talk_words.typed_speech(rest))
                return ""
            case "mute":
                return self._mute(rest, view, mutes=True)
            case "unmute":
                return self._mute(rest, view, mutes=False)
            case _:
                return None

    async def close(self) -> None:
        """Wait until everything is said."""
        await asyncio.gather(*self._tasks)

    def _begin(self, speech: Speech) -> None:
        task = asyncio.create_task(self._say(speech))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _say(self, speech: Speech) -> None:
        try:
            await self._match.say(speech)
        except Refused as refused:
            self._tell(words.REFUSED.format(message=refused))

    def _mute(self, name: str, view: View, *, mutes: bool) -> str:
        named = [seat for seat in view.seats if seat.name.lower() == name.lower()]
        if not named:
            return talk_words.NOBODY_TO_MUTE.format(name=name)
        muted = self._match.client.muted
        for seat in named:
            (muted.add if mutes else muted.discard)(seat.player_id)
        done = talk_words.MUTED if mutes else talk_words.UNMUTED
        return done.format(name=named[0].name)
