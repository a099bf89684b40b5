"""The operator's way in where the server signs tokens itself."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from durak_server.api import Caller, Scope, SecretNotUsable, Tokens
from durak_server.command_settings import Data, fail, settings_with
from durak_server.config import AuthMode, Settings
from durak_server.token_secret import secret_in_use


def admin_token_command(
    name: Annotated[str, typer.Option(help="Who you are; stands in the audit log.")] = "operator",
    hours: Annotated[float, typer.Option(min=0.01, max=720, help="How long it is valid.")] = 1,
    *,
    hands: Annotated[bool, typer.Option("--hands", help="Also to look at hidden cards.")] = False,
    data: Data = None,
) -> None:
    """Print a token for the operator's service, signed with this server's secret.

    Example: durak-server admin-token --name anna --hours 8
    """
    typer.echo(own_token(settings_with(data=data), name, timedelta(hours=hours), hands=hands))


def own_token(settings: Settings, name: str, lifetime: timedelta, *, hands: bool) -> str:
    """Return a token with the scope admin; with `hands` also to look at hidden cards.

    Raises:
        Exit: this server signs no tokens, or there is no secret, or it cannot be read.
    """
    if settings.auth is AuthMode.JWT:
        fail("with auth jwt the identity provider signs tokens: give yours the scope admin")
    try:
        secret = secret_in_use(settings)
    except SecretNotUsable as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {error.filename}: {error.strerror}")
    scopes = {Scope.ADMIN, Scope.HANDS} if hands else {Scope.ADMIN}
    now = datetime.now(UTC)
    operator = Caller(f"operator-{name}", name, frozenset(scopes), (now + lifetime).timestamp())
    return Tokens(secret, lifetime, lambda: now).sign(operator)
