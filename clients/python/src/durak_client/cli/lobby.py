"""The lobby in a terminal: listed once, or watched."""

from contextlib import aclosing

import typer
from rich.console import Console

from durak_client.cli import listing, words
from durak_client.cli.seating import Access, sign_in
from durak_client.matches import MatchInfo

_MOST_LISTED = 200


async def list_matches(access: Access, preset: str, *, mine: bool, json: bool) -> None:
    """Print the newest matches, at most two hundred."""
    async with await sign_in(access) as client:
        found: list[MatchInfo] = []
        listed = client.my_matches() if mine else client.matches(presets=[preset] if preset else [])
        async for info in listed:
            if not preset or info.preset.name.lower() == preset:
                found.append(info)
            if len(found) == _MOST_LISTED:
                break
    if json:
        typer.echo(listing.as_json(found))
    elif found:
        Console().print(listing.as_table(found))
    else:
        typer.echo(words.NO_MATCHES)


async def watch_matches(access: Access, preset: str, *, json: bool) -> None:
    """Print the matches there are, then each that changes, until interrupted."""
    console = Console()
    async with await sign_in(access) as client:
        watch = client.watch_lobby(presets=[preset] if preset else [])
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
