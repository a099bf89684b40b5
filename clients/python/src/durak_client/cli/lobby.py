"""The lobby in a terminal: listed once, or watched."""

from contextlib import aclosing
from dataclasses import dataclass
from typing import TypedDict

import typer
from rich.console import Console

from durak_client.cli import listing, words
from durak_client.cli.seating import Access, sign_in
from durak_client.matches import MatchInfo, MatchStatus

_MOST_LISTED = 200
_OVER = tuple(status for status in MatchStatus if status.is_over)


class Filter(TypedDict):
    """What `Client.matches` and `Client.watch_lobby` are asked for."""

    statuses: tuple[MatchStatus, ...]
    presets: list[str]
    has_free_seat: bool
    has_no_password: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches somebody wants to see; of any preset if it is empty."""

    preset: str = ""
    has_free_seat: bool = False
    has_no_password: bool = False
    is_over: bool = False
    """Those that are over, and no others."""

    @property
    def statuses(self) -> tuple[MatchStatus, ...]:
        """The states, none for those of all that are not over."""
        return _OVER if self.is_over else ()

    @property
    def filter(self) -> Filter:
        """The same for a server."""
        return Filter(
            statuses=self.statuses,
            presets=[self.preset] if self.preset else [],
            has_free_seat=self.has_free_seat,
            has_no_password=self.has_no_password,
        )

    def takes(self, info: MatchInfo) -> bool:
        """Whether this is such a match."""
        return (
            (not self.preset or info.preset.name.lower() == self.preset)
            and (not self.has_free_seat or info.free_seats > 0)
            and not (self.has_no_password and info.has_password)
        )


async def list_matches(access: Access, wanted: Wanted, *, mine: bool, json: bool) -> None:
    """Print the newest matches, at most two hundred."""
    async with await sign_in(access) as client:
        found: list[MatchInfo] = []
        if mine:
            listed = client.my_matches(statuses=wanted.statuses)
        else:
            listed = client.matches(**wanted.filter)
        async for info in listed:
            if wanted.takes(info):
                found.append(info)
            if len(found) == _MOST_LISTED:
                break
    if json:
        typer.echo(listing.as_json(found))
    elif found:
        Console().print(listing.as_table(found))
    else:
        typer.echo(words.NO_MATCHES)


async def watch_matches(access: Access, wanted: Wanted, *, json: bool) -> None:
    """Print the matches there are, then each that changes, until interrupted."""
    console = Console()
    async with await sign_in(access) as client:
        watch = client.watch_lobby(**wanted.filter)
        async with aclosing(watch) as updates:
            is_first = True
            async for update in updates:
                if json:
                    for line in listing.news_as_json(update):
                        typer.echo(line)
                elif is_first:
                    console.print(listing.as_table(update.added))
                else:
                    console.print(listing.news_as_lines(update))
                is_first = False
