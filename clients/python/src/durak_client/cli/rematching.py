"""The question after a match: whether there shall be another."""

import asyncio
from contextlib import aclosing

from durak_client.cli import words
from durak_client.cli.front import Front
from durak_client.cli.scene import Scene
from durak_client.cli.talking import Talking
from durak_client.events import RematchMade
from durak_client.match import Match

_YES = frozenset({"y", "yes"})
_NO = frozenset({"n", "no", "q", "quit"})


class Rematching:
    """Asks one player, and tells him meanwhile what the others want."""

    def __init__(self, match: Match, front: Front, scene: Scene) -> None:
        self._match = match
        self._front = front
        self._scene = scene.noticing(words.ANOTHER_MATCH)
        self._talking = Talking(match, lambda notice: self._show(self._scene, notice))

    async def run(self) -> Match | None:
        """Return the match that all want; None if he does not, or the others do not in time.

        Raises:
            Refused: the server makes no other match for him.
        """
        self._front.show(self._scene)
        made = asyncio.create_task(self._made())
        declined = asyncio.create_task(self._declined())
        try:
            await asyncio.wait({made, declined}, return_when=asyncio.FIRST_COMPLETED)
            if declined.done():
                declined.result()  # raises what the server said to his wish
            return made.result() if made.done() else None
        finally:
            made.cancel()
            declined.cancel()
            await asyncio.gather(made, declined, self._talking.close(), return_exceptions=True)

    async def _made(self) -> Match | None:
        """Follow what the others say until there is a match, or nobody waits any more."""
        view = self._scene.view
        after = view.sequence if view else 0
        async with aclosing(self._match.follow(after, rematch=True)) as updates:
            async for update in updates:
                notice = self._scene.notice
                self._show(self._scene.after(update, self._front.show_card), notice)
                for event in update.events:
                    if isinstance(event.fact, RematchMade):
                        return self._match.client.match(event.fact.match_id)
        return None

    async def _declined(self) -> None:
        """Read answers until one is no, or none comes any more."""
        while (line := await self._front.read_line()) is not None:
            answer = line.strip().lower()
            if answer in _NO:
                return
            if answer in _YES:
                self._show(self._scene.noticing(""), words.WANTED)
                await self._match.rematch()
            elif told := self._talking.answer(line, self._scene.view):
                self._show(self._scene, told)

    def _show(self, scene: Scene, notice: str) -> None:
        has_news = bool(scene.news) or notice != self._scene.notice
        self._scene = scene.telling(notice)
        if has_news:
            self._front.show(self._scene)
