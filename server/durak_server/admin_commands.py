"""`durak-server admin-token`: the operator's way in where the server signs tokens itself."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from durak_server.api import Caller, Scope, SecretNotUsable, Tokens
from durak_server.config import AuthMode, InvalidSettings, Settings, load_settings
from durak_server.token_secret import token_secret

_Data = Annotated[Path | None, typer.Option(help="Folder of the data. [data]")]


def admin_token_command(
    name: Annotated[str, typer.Option(help="Who you are; stands in the audit log.")] = "operator",
    hours: Annotated[float, typer.Option(min=0.01, max=720, help="How long it is valid.")] = 1,
    *,
    hands: Annotated[bool, typer.Option("--hands", help="Also to look at hidden cards.")] = False,
    data: _Data = None,
) -> None:
    """Print a token for the operator's service, signed with this server's secret.

    Example: durak-server admin-token --name anna --hours 8
    """
    settings = _settings(data)
    if settings.auth is AuthMode.JWT:
        _fail("with auth jwt the identity provider signs tokens: give yours the scope admin")
    try:
        secret = token_secret(settings)
    except (OSError, SecretNotUsable) as error:
        _fail(str(error))
    typer.echo(operator_token(secret, name, timedelta(hours=hours), hands=hands))


def operator_token(secret: str, name: str, lifetime: timedelta, *, hands: bool) -> str:
    """Return a token with the scope admin; with `hands` also to look at hidden cards."""
    scopes = {Scope.ADMIN, Scope.HANDS} if hands else {Scope.ADMIN}
    now = datetime.now(UTC)
    operator = Caller(f"operator-{name}", name, frozenset(scopes), (now + lifetime).timestamp())
    return Tokens(secret, lifetime, lambda: now).sign(operator)


def _settings(data: Path | None) -> Settings:
    try:
        return load_settings(data=data)
    except InvalidSettings as error:
        _fail(str(error))


def _fail(text: str) -> NoReturn:
    typer.echo(f"durak-server: {text}", err=True)
    raise typer.Exit(1)
