"""A match told line by line, for pipes and screen readers."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import typer

from durak_client.cards import Card
from durak_client.cli import words
from durak_client.cli.plain_table import lines_of_lobby, lines_of_turn
from durak_client.cli.scene import Page, Scene
from durak_client.cli.screen import help_lines
from durak_client.cli.typed_lines import TypedLines
from durak_client.view import View


class PlainFront:
    """Prints what is new in each scene, and the table whenever the player is asked."""

    stays = True

    def __init__(self) -> None:
        self._lines = TypedLines()
        self._asked_at = ("", 0)
        self._page = Page.TABLE
        self._lobby: tuple[str, ...] = ()

    @property
    def is_interactive(self) -> bool:
        """Whether a person types."""
        return sys.stdin.isatty()

    def show_card(self, card: Card) -> str:
        """Return a card in ASCII."""
        return card.code

    def show(self, scene: Scene) -> None:
        """Print what is new."""
        if scene.notice:
            typer.echo(scene.notice)
        for sentence in scene.news:
            typer.echo(sentence)
        if scene.page is Page.QUIT:
            typer.echo(words.LEAVE_OR_STAY)
        elif scene.page is Page.HELP:
            self._help(scene)
        elif scene.info is not None and scene.view is not None and scene.view.deal is None:
            self._show_lobby(lines_of_lobby(scene.info, scene.view.seats, scene.elsewhere))
        elif scene.view is not None and scene.is_my_turn:
            is_new = bool(scene.notice) or self._page is not Page.TABLE
            self._ask(scene.view, is_new)
        self._page = scene.page

    async def read_line(self) -> str | None:
        """Return the next line typed, None at the end of input."""
        return await self._lines.next()

    async def __aenter__(self) -> Self:
        self._lines.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to put back."""

    def _ask(self, view: View, is_new: bool) -> None:
        """Print the table once for each move asked for; the prompt also after something new."""
        moment = (view.match_id, view.sequence)
        if moment != self._asked_at:
            for line in lines_of_turn(view, datetime.now(UTC)):
                typer.echo(line)
        if moment != self._asked_at or is_new:
            typer.echo(f"{words.PROMPT} ({words.TO_PLAY}):")
        self._asked_at = moment

    def _help(self, scene: Scene) -> None:
        kinds = [group.kind for group in scene.view.legal_moves] if scene.view else []
        for line in [*help_lines(kinds), words.HELP_ENDS]:
            typer.echo(line)

    def _show_lobby(self, told: Iterable[str]) -> None:
        lines = tuple(told)
        if lines != self._lobby:
            self._lobby = lines
            for line in lines:
                typer.echo(line)
