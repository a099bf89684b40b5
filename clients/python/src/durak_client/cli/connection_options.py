"""The options of `durak` that say to which server one goes, how, and as whom."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_SERVER = "127.0.0.1:50051"

Server = Annotated[str, typer.Option("--server", help="The server, HOST:PORT.")]
Name = Annotated[str, typer.Option("--name", help="Your name at the table.")]
NewGuest = Annotated[bool, typer.Option("--guest", help="Be a new guest, this once.")]
Tls = Annotated[bool, typer.Option("--tls", help="Connect with TLS.")]
Ca = Annotated[Path | None, typer.Option("--ca", help="PEM file of authorities, with TLS.")]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="Your token, where there are no guests.")
]
