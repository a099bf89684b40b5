"""Stepping through a match: `durak replay`, and what else looks at the past."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from durak_client.cards import Card
from durak_client.cli.opened_file import file_named, opened
from durak_client.cli.plain_table import lines_of_table
from durak_client.cli.replay_place import Place, start
from durak_client.cli.replay_screen import told
from durak_client.cli.seating import Access, sign_in
from durak_client.cli.words import cards_in_words
from durak_client.events import BoutStarted, DealEnded, Event
from durak_client.replay import PastViews, Replay
from durak_client.view import View

if TYPE_CHECKING:
    from durak_client.local.file_replay import FileReplay


@dataclass(frozen=True, slots=True)
class Past:
    """A match to look back at."""

    replay: Replay
    views: PastViews

    async def view(self, place: Place) -> View:
        """Return the match as it is seen from a place."""
        seat = None if place.open_cards else place.seat
        return await self.views.view_at(place.sequence, seat, open_cards=place.open_cards)


@asynccontextmanager
async def past(access: Access, match_or_file: str) -> AsyncIterator[Past]:
    """Give the match in a file, if there is a file of that name, else the server's.

    Raises:
        NoSuchFile: it is neither a file nor the id of a match.
        NeedsLocal: it is a file, and the server's rules are not installed.
        DurakError: the file holds no match.
        Refused: the server has no such match, or does not show it.
    """
    file = _opened_if_any(match_or_file)
    if file is not None:
        yield Past(file.replay, file)
        return
    async with await sign_in(access) as client:
        match = client.match(match_or_file)
        yield Past(await match.replay(), match)


async def replay_match(
    access: Access, match_or_file: str, *, seat: int | None, plain: bool
) -> None:
    """Step through a match by keys, or print all of it where there is no terminal."""
    async with past(access, match_or_file) as found:
        place = Place(start(found.replay), seat, found.replay.open_cards and seat is None)
        if plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or sys.platform == "win32":
            await _print_all(found, place)
        else:
            await _step_through(found, place)


async def export_match(access: Access, match_or_file: str, output: Path | None) -> None:
    """Write a match that is over as text, to a file or standard output."""
    file = _opened_if_any(match_or_file)
    if file is not None:
        text = file.text()
    else:
        async with await sign_in(access) as client:
            text = await client.match(match_or_file).export()
    _write(text, output)


def _write(text: str, file: Path | None) -> None:
    """Write to a file, to standard output if it is None."""
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8")


def _opened_if_any(match_or_file: str) -> "FileReplay | None":
    """Return the match in a file, None if it may be the id of a server's."""
    path = file_named(match_or_file)
    return opened(path) if path is not None else None


async def _print_all(found: Past, place: Place) -> None:
    """Print every step, and the table whenever a bout begins."""
    view = await found.view(place)
    for event in found.replay.events:
        if isinstance(event.fact, BoutStarted | DealEnded):
            view = await found.view(Place(event.sequence, place.seat, place.open_cards))
        sentence = told(found.replay, event.sequence, view, _code)
        typer.echo(f"{event.sequence}. {sentence or _kind_in_words(event)}")
        if isinstance(event.fact, BoutStarted):
            for line in _lines_of_bout(view):
                typer.echo(f"   {line}")


def _lines_of_bout(view: View) -> list[str]:
    if view.deal is None:
        return []
    hands = [
        f"{view.name_of(seat.seat)}: {cards_in_words(seat.hand, _code)}"
        for seat in view.deal.seats
        if seat.hand
    ]
    return [*lines_of_table(view, view.deal), *hands]


def _kind_in_words(event: Event) -> str:
    return f"{event.kind.replace('_', ' ').capitalize()}."


def _code(card: Card) -> str:
    return card.code


async def _step_through(found: Past, place: Place) -> None:
    # Needs termios, which Windows has not.
    from durak_client.cli.replay_steps import ReplaySteps  # noqa: PLC0415  # see above

    await ReplaySteps(found.replay, found.view, place).run()
