"""What guest tokens are signed with."""

from durak_server.api import new_secret, secret_beside
from durak_server.config import Settings, StoreKind, read_secret


def token_secret(settings: Settings) -> str:
    """Return the secret that is set, else the one beside the data, else a new one.

    Raises:
        SecretNotUsable: the one beside the data could be guessed.
        OSError: it cannot be read or written.
    """
    if settings.token_secret:
        return settings.token_secret.get_secret_value()
    if settings.token_secret_file:
        return read_secret(settings.token_secret_file)
    if settings.store is StoreKind.MEMORY:
        return new_secret()
    return secret_beside(settings.data)
