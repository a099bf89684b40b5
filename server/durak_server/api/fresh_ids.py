"""Ids and codes that the server chooses."""

import hmac
import secrets
import uuid
from collections.abc import Collection
from typing import Final

# Nothing that is read as something else: no 0 O, 1 I L, U V.
_CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTWXYZ"
_CODE_LENGTH: Final = 10
_BOT_NAMES: Final = ("Agafya", "Boris", "Varvara", "Gleb", "Darya", "Yegor")


class MatchIds:
    """Chooses the ids of matches whose makers chose none.

    The same request of the same player always gives the same id: so a repeat finds the match that
    the first one made, also after a restart. Who does not know `secret` cannot tell it beforehand.
    """

    def __init__(self, secret: str) -> None:
        # A key of its own: what is signed with the secret elsewhere shall never be an id here.
        self._key = hmac.digest(secret.encode(), b"ids of matches", "sha256")

    def fresh(self, player_id: str, request_id: str) -> str:
        """Return the id for a request; a random one for a request without an id."""
        if not request_id:
            return uuid.uuid4().hex
        return hmac.digest(self._key, f"{player_id}\0{request_id}".encode(), "sha256").hex()[:32]


def fresh_invite_code() -> str:
    """Return a code that cannot be guessed: ten letters of 29, about 48 bits."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def fresh_bot_id() -> str:
    """Return the player id of a new house bot."""
    return f"bot-{uuid.uuid4().hex}"


def bot_name(taken: Collection[str]) -> str:
    """Return a name for a house bot that nobody at the table has yet."""
    return next((name for name in _BOT_NAMES if name not in taken), _BOT_NAMES[0])
