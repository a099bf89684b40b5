"""Running a command: what it says when something goes wrong, and with which exit code."""

import asyncio
from collections.abc import Coroutine

import typer

from durak_client.cli import words
from durak_client.cli.seating import NothingToResume
from durak_client.cli.unreachable import unreachable
from durak_client.errors import DurakError, NotFound, Refused, Unavailable

REFUSED, UNREACHABLE, INTERRUPTED = 1, 3, 130


def run(command: Coroutine[None, None, None], server: str, match: str = "") -> None:
    """Run a command about `match` at `server` to its end.

    Raises:
        typer.Exit: it failed; one line on standard error has said why.
    """
    try:
        asyncio.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except Unavailable as refused:
        said = words.NOT_NOW.format(server=server, message=refused)
        _fail(said if refused.reason else unreachable(server, str(refused)), UNREACHABLE)
    except NotFound:
        _fail(words.NO_MATCH.format(match=match), REFUSED)
    except Refused as refused:
        _fail(words.NOT_VALID.format(message=_details(refused)), REFUSED)
    except BrokenPipeError:
        raise  # whoever read what was printed has gone; typer ends without a word
    except (DurakError, NothingToResume, ValueError, OSError) as problem:
        _fail(str(problem), REFUSED)


def _details(refused: Refused) -> str:
    """Return the refusal in one line, with the fields it is about."""
    fields = [f"{v.field}: {v.description}" for v in refused.refusal.violations]
    return "; ".join(fields) or str(refused)


def _fail(message: str, code: int) -> None:
    typer.echo(" ".join(message.split()), err=True)
    raise typer.Exit(code) from None
