"""One person at one match, from sitting down to the fool."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import Enum, auto

from durak_client.cli import words
from durak_client.cli.choices import NotAMove, typed_move
from durak_client.cli.front import Front
from durak_client.cli.hosting import Hosting
from durak_client.cli.scene import Page, Scene
from durak_client.cli.talking import Talking
from durak_client.errors import Refused, RuleRefused
from durak_client.events import Update
from durak_client.following import Lost
from durak_client.match import Match
from durak_client.moves import Move
from durak_client.seeding import answer_commitment


class Ending(Enum):
    """Why a sitting is over."""

    OVER = auto()
    """The match is."""
    LEFT = auto()
    """The player gave his seat up."""
    KEPT = auto()
    """The player went away and keeps his seat."""


@dataclass(frozen=True, slots=True)
class _Typed:
    """A line typed, None for the end of input."""

    line: str | None


@dataclass(frozen=True, slots=True)
class _Moved:
    """The player's move was answered; the view that shows what came of it has `sequence`."""

    sequence: int
    refused: Refused | None = None


_Happening = Update | Refused | BrokenPipeError | _Typed | _Moved


class Sitting:
    """Takes in what happens, one thing after another, and shows each new scene.

    Whoever cannot be seen typing (a pipe) is read from only when he is asked for a move, so that
    lines are never spent on somebody else's turn.
    """

    def __init__(self, match: Match, front: Front, elsewhere: str = "") -> None:
        self.scene = Scene(info=match.info, elsewhere=elsewhere)
        self._match = match
        self._front = front
        self._talking = Talking(match, self._notice)
        self._hosting = Hosting(match, self._notice)
        # Full, it makes the stream and the reader wait.
        self._happenings: asyncio.Queue[_Happening] = asyncio.Queue(100)
        self._asked = asyncio.Event()
        self._is_reading = False
        self._move: asyncio.Task[None] | None = None
        self._moved_at = 0
        self._is_lost = False

    async def run(self) -> Ending:
        """Show the match until it is over or the player goes.

        Raises:
            Refused: the match cannot be followed.
        """
        tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._read())]
        try:
            while True:
                ending = await self._take_in(await self._happenings.get())
                if ending is not None:
                    return ending
        finally:
            if self._move is not None:
                tasks.append(self._move)
            for task in tasks:
                task.cancel()
            closing = (self._talking.close(), self._hosting.close())
            await asyncio.gather(*tasks, *closing, return_exceptions=True)

    async def _follow(self) -> None:
        """Report every update; a refusal instead of them, or nobody who reads, ends the sitting."""
        try:
            async with aclosing(self._match.follow(on_lost=self._announce)) as updates:
                async for update in updates:
                    await self._happenings.put(update)
                    if update.view is not None and update.view.seat is not None:
                        await answer_commitment(self._match, update.events)
        except (Refused, BrokenPipeError) as problem:
            await self._happenings.put(problem)

    async def _read(self) -> None:
        """Report every line, of a pipe one for each time the player is asked."""
        line: str | None = ""
        while line is not None:
            if not self._front.is_interactive:
                await self._asked.wait()
                self._asked.clear()
            line = await self._front.read_line()
            await self._happenings.put(_Typed(line))

    async def _send(self, move: Move, seen: int) -> None:
        """Make a move that was legal after the event numbered `seen`, and report the answer."""
        try:
            events = await self._match.move(move)
        except RuleRefused as refused:
            # Others were faster; a view that shows how is on its way.
            await self._happenings.put(_Moved(seen + 1, refused))
        except Refused as refused:
            await self._happenings.put(_Moved(seen, refused))
        else:
            await self._happenings.put(_Moved(events[-1].sequence))

    async def _take_in(self, happening: _Happening) -> Ending | None:
        match happening:
            case Update():
                self._take_update(happening)
                return Ending.OVER if happening.is_final else None
            case _Moved():
                self._take_answer(happening)
            case _Typed(line):
                self._is_reading = False
                return await self._take_line(line)
            case Refused() | BrokenPipeError():
                raise happening
        return None

    def _announce(self, lost: Lost) -> None:
        """Tell of a lost connection once, however many tries it takes to make a new one."""
        if not self._is_lost:
            self._is_lost = True
            self._notice(words.LOST.format(cause=lost.cause))

    def _take_answer(self, answer: _Moved) -> None:
        self._move = None
        self._moved_at = answer.sequence
        if answer.refused is not None:
            self._notice(words.REFUSED.format(message=answer.refused))
        self._ask()

    def _take_update(self, update: Update) -> None:
        scene = self.scene.after(update, self._front.show_card)
        if self._is_lost:
            scene = replace(scene, notice=words.BACK)
        self._is_lost = False
        self._show(scene)
        self._ask()

    async def _take_line(self, typed: str | None) -> Ending | None:
        """Do what a line means: on the page for quitting an answer, else move, talk or ask."""
        if typed is None:
            return Ending.KEPT if self._front.is_interactive else await self._leave()
        line = typed.strip().lower()
        if self.scene.page is Page.QUIT and line in {"l", "leave"}:
            return await self._leave()
        if self.scene.page is Page.QUIT and line in {"k", "keep", "q"}:
            return Ending.KEPT
        if line in {"q", "quit"}:
            if self.scene.me is None:
                return Ending.KEPT
            self._show(self.scene.noticing("", Page.QUIT))
        elif line in {"h", "help", "?"}:
            self._show(self.scene.noticing("", Page.HELP))
        else:
            told = self._talking.answer(typed, self.scene.view)
            if told is None:
                told = self._hosting.answer(typed, self.scene.view)
            self._notice(self._answer(line) if told is None else told)
        self._ask()
        return None

    def _answer(self, line: str) -> str:
        """Send the move that `line` means; return what the player is to be told."""
        view = self.scene.view
        if not line:
            return ""
        if view is None or not view.legal_moves:
            return words.NOT_YOUR_TURN
        if self._is_moving:
            return words.SENDING
        try:
            move = typed_move(line, view)
        except NotAMove as problem:
            return str(problem)
        self._move = asyncio.create_task(self._send(move, view.sequence))
        return ""

    async def _leave(self) -> Ending:
        await self._match.leave()
        return Ending.LEFT

    def _notice(self, notice: str) -> None:
        self._show(self.scene.noticing(notice))

    def _show(self, scene: Scene) -> None:
        self.scene = scene
        self._front.show(scene)

    def _ask(self) -> None:
        is_asked = self.scene.is_my_turn and not self._is_moving
        if not self._is_reading and (is_asked or self.scene.page is not Page.TABLE):
            self._is_reading = True
            self._asked.set()

    @property
    def _is_moving(self) -> bool:
        """Whether a move is on its way, or the view does not show yet what became of it."""
        view = self.scene.view
        return self._move is not None or (view is not None and view.sequence < self._moved_at)
