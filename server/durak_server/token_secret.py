"""What guest tokens are signed with."""

from pathlib import Path
from typing import Final

from durak_server.api import SECRET_FILE, SecretNotUsable, kept_secret, new_secret, secret_beside
from durak_server.config import Settings, StoreKind, read_secret

_SET_BY: Final = "DURAK_TOKEN_SECRET or DURAK_TOKEN_SECRET_FILE"


def token_secret(settings: Settings) -> str:
    """Return the secret that is set, else the one beside the data, else a new one.

    Raises:
        SecretNotUsable: the one beside the data could be guessed.
        OSError: it cannot be read or written.
    """
    given = _given_secret(settings)
    if given is not None:
        return given
    if settings.store is StoreKind.MEMORY:
        return new_secret()
    return secret_beside(settings.data)


def secret_in_use(settings: Settings) -> str:
    """Return the secret that is set, else the one beside the data; never make one.

    Raises:
        SecretNotUsable: there is none, or it could be guessed.
        OSError: it cannot be read.
    """
    given = _given_secret(settings)
    if given is not None:
        return given
    if settings.store is StoreKind.MEMORY:
        raise SecretNotUsable(
            "a server that keeps matches in memory signs with what nobody else has: say what by"
            f" {_SET_BY}, to it and here"
        )
    kept = kept_secret(settings.data)
    if kept is None:
        raise SecretNotUsable(
            f"{_nothing_at(settings.data)}: say by --data or DURAK_DATA where the server's data is,"
            f" or by {_SET_BY} what it signs with"
        )
    return kept


def _nothing_at(folder: Path) -> str:
    if folder.is_dir():
        return f"there is no {SECRET_FILE} in {folder}"
    return f"there is no folder {folder}"


def _given_secret(settings: Settings) -> str | None:
    if settings.token_secret:
        return settings.token_secret.get_secret_value()
    return read_secret(settings.token_secret_file) if settings.token_secret_file else None
