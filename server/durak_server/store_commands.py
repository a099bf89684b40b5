"""What an operator does with a store: `durak-server log ...`, `backup` and `restore`."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from durak_server.command_settings import Data, fail, settings_with
from durak_server.matches import MatchSummary
from durak_server.runtime import utc_now
from durak_server.store import StoreError
from durak_server.store.archiving import UNSOUND, Archiver, archiving
from durak_server.store.backup import back_up, restore
from durak_server.store.log_check import problems_of_match
from durak_server.store.read_only import reading

_AGE: Final = re.compile(r"([0-9]{1,5})([dh])")

_PIPED_WIDTH: Final = 1_000
"""Columns where no terminal shows the output: no row is folded, whatever searches or cuts it."""

log_commands = typer.Typer(
    help="Look at the logs of a sqlite store, check them, and archive old ones.\n\n"
    "Example: durak-server log check --data ./data",
    no_args_is_help=True,
)


@log_commands.command("list")
def list_command(data: Data = None) -> None:
    """List all matches, the last changed first; also beside a running server.

    Example: durak-server log list --data ./data
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("match", "state", "rules", "players", "events", "changed"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "match")
    with _told(), reading(_store_file(data)) as store:
        for summary in store.summaries():
            table.add_row(*_row(summary))
    Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH).print(table)


@log_commands.command("show")
def show_command(
    match: Annotated[str, typer.Argument(help="The match's id.")], data: Data = None
) -> None:
    """Print the records of a match as they are stored, secrets included.

    Example: durak-server log show 01a0b1c2-d3e4-7f56-8a9b-0c1d2e3f4a5b
    """
    with _told(), reading(_store_file(data)) as store:
        bodies = store.bodies(match)
    if not bodies:
        fail(f"there is no match {match}")
    for sequence, body in bodies:
        typer.echo(f"{sequence}\t{body.decode()}")


@log_commands.command("check")
def check_command(data: Data = None) -> None:
    """Read every log and tell what is wrong; also beside a running server.

    A log must have no gap, no event of an unknown name, must fold with every card accounted for,
    and must lead to what the catalogue says. Exit code 1 if one does not.

    Example: durak-server log check --data ./data
    """
    failed = 0
    with _told(), reading(_store_file(data)) as store:
        match_ids = store.match_ids()
        for match_id in _with_progress(match_ids, "checking"):
            problems = problems_of_match(store, match_id)
            failed += bool(problems)
            for problem in problems:
                typer.echo(f"{match_id}: {problem}")
    typer.echo(f"{len(match_ids) - failed} sound, {failed} not")
    raise typer.Exit(1 if failed else 0)


@log_commands.command("archive")
def archive_command(
    older_than: Annotated[
        str, typer.Option(metavar="AGE", help="How long ago they last changed: 30d, 12h.")
    ],
    to: Annotated[
        Path | None, typer.Option(readable=False, help="Folder of the files. [DATA/archive]")
    ] = None,
    data: Data = None,
) -> None:
    """Move matches that are over to one compressed file each; no server may have the store open.

    Files are on the disk before anything leaves the store. `durak replay FILE` opens them. A match
    that is not sound, or whose file would replace another match's, stays where it is, and the
    exit code is 1.

    Example: durak-server log archive --older-than 30d
    """
    path, age = _store_file(data), _age(older_than)
    with _told(), archiving(path, to or path.parent / "archive") as archiver:
        match_ids = archiver.over_before(utc_now() - age)
        written = [
            match_id
            for match_id in _with_progress(match_ids, "archiving")
            if _write(archiver, match_id)
        ]
        archiver.remove(written)
    kept = len(match_ids) - len(written)
    typer.echo(f"{len(written)} archived, {kept} kept")
    raise typer.Exit(1 if kept else 0)


def backup_command(
    copy: Annotated[Path, typer.Argument(readable=False, help="The file to make.")],
    data: Data = None,
) -> None:
    """Copy the sqlite store to one file, while a server uses it or not.

    The secret that signs guest tokens is not in it: it is a file of its own beside the store.

    Example: durak-server backup durak-backup.sqlite
    """
    with _told():
        back_up(_store_file(data), copy)
    typer.echo(f"{copy} holds the store as it was now")


def restore_command(
    copy: Annotated[Path, typer.Argument(readable=False, help="A file that `backup` made.")],
    data: Data = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up the store that is there.")
    ] = False,
) -> None:
    """Put a copy in the place of the sqlite store; no server may have it open.

    Example: durak-server restore durak-backup.sqlite --data ./data
    """
    path = _store_file(data)
    with _told():
        restore(copy, path, replace=replace)
    typer.echo(f"{path} is what {copy} holds")


def _write(archiver: Archiver, match_id: str) -> bool:
    """Write the file of a match; False, and a line that says why, if it has to stay."""
    try:
        archiver.write(match_id)
    except UNSOUND as error:
        typer.echo(f"{match_id}: {error}")
        return False
    return True


def _with_progress(match_ids: list[str], what: str) -> Iterator[str]:
    """Iterate with a bar on standard error, where that is a terminal."""
    console = Console(stderr=True)
    yield from track(match_ids, what, console=console, disable=not console.is_terminal)


def _row(summary: MatchSummary) -> tuple[str, ...]:
    names = ", ".join(player.name if player else "free seat" for player in summary.seats)
    changed = summary.updated_at.strftime("%Y-%m-%d %H:%M")
    state, rules = summary.status.lower(), summary.preset.value
    return summary.match_id, state, rules, names, str(summary.sequence), changed


def _age(text: str) -> timedelta:
    match = _AGE.fullmatch(text)
    if match is None:
        raise typer.BadParameter(f"{text!r} is no age: write it like 30d or 12h")
    number = int(match[1])
    return timedelta(days=number) if match[2] == "d" else timedelta(hours=number)


def _store_file(data: Path | None) -> Path:
    return settings_with(data=data).store_file


@contextmanager
def _told() -> Iterator[None]:
    """Tell in one line what went wrong in the block, and exit with code 1."""
    try:
        yield
    except StoreError as error:
        fail(str(error))
    except BrokenPipeError:
        raise  # whoever read what was printed has gone; typer ends without a word
    except OSError as error:
        fail(f"{error.filename}: {error.strerror or error}")
