"""What each command begins with, its settings, and the one line with which it ends if it fails."""

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from durak_server.config import InvalidSettings, Settings, load_settings

Data = Annotated[Path | None, typer.Option(readable=False, help="Folder of the data. [data]")]


def settings_with(
    **flags: Any,  # Any: each setting has a type of its own
) -> Settings:
    """Return the settings of the environment; a flag that is not None comes before its variable.

    Raises:
        Exit: they make no sense.
    """
    try:
        return load_settings(**flags)
    except InvalidSettings as error:
        fail(str(error))


def fail(text: str) -> NoReturn:
    """End the command, and say why."""
    typer.echo(f"durak-server: {text}", err=True)
    raise typer.Exit(1)
