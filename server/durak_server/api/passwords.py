"""Passwords of matches, turned into keys without holding anybody up."""

import asyncio
import secrets
import unicodedata
from typing import Final

from durak_server.api.addresses import Addresses
from durak_server.api.callers import Caller
from durak_server.api.calls import Context
from durak_server.api.failures import invalid_field
from durak_server.api.rate_limit import RateLimit
from durak_server.api.requests import LOOSE_LENGTH
from durak_server.matches import USUAL_PASSWORD_COST, Match, PasswordKey, password_key

_LONGEST: Final = 64
_SALT_BYTES: Final = 16
_AT_ONCE: Final = 2
"""Keys computed at a time, each in a thread and with 16 MiB of its own."""


class Passwords:
    """Computes keys, a few at a time: a flood of guesses costs no more than that.

    Args:
        of_player: how often each player may give a password, right or wrong.
        of_address: how often passwords may come from each address.
        addresses: tells where a call comes from.
    """

    def __init__(self, of_player: RateLimit, of_address: RateLimit, addresses: Addresses) -> None:
        self._of_player = of_player
        self._of_address = of_address
        self._addresses = addresses
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def new_key(self, password: str, caller: Caller, context: Context) -> PasswordKey | None:
        """Return the key of a new password; None if it is empty.

        Raises:
            CallFailed: it is malformed, or passwords come too fast.
        """
        password = checked_password(password)
        if not password:
            return None
        return await self._computed(password, secrets.token_bytes(_SALT_BYTES), caller, context)

    async def key_shown(
        self, password: str, match: Match, caller: Caller, context: Context
    ) -> bytes:
        """Return the key that a password, checked before, gives at a match.

        It is empty if none is asked of the caller.

        Raises:
            CallFailed: passwords come too fast.
        """
        kept = match.admission.password
        if not password or kept is None or match.seat_of(caller.player_id) is not None:
            return b""
        made = await self._computed(password, kept.salt, caller, context, kept.cost)
        return made.key

    async def _computed(
        self,
        password: str,
        salt: bytes,
        caller: Caller,
        context: Context,
        cost: int = USUAL_PASSWORD_COST,
    ) -> PasswordKey:
        self._of_player.admit(caller.player_id)
        self._of_address.admit(self._addresses.of(context))
        await self._room.acquire()
        computing = asyncio.create_task(asyncio.to_thread(password_key, password, salt, cost))
        # A thread cannot be stopped: it has its place until it ends, whoever has given up.
        computing.add_done_callback(lambda _: self._room.release())
        return await asyncio.shield(computing)


def checked_password(text: str) -> str:
    """Return a password in its normal form (NFC); empty if there is none.

    Raises:
        CallFailed: it is too long, or has characters that nobody types.
    """
    # Of a long text no normal form is made: that may take time that grows by the square.
    is_short = len(text) <= LOOSE_LENGTH * _LONGEST
    password = unicodedata.normalize("NFC", text) if is_short else text
    if len(password) > _LONGEST:
        raise invalid_field("password", f"must have at most {_LONGEST} characters")
    if any(unicodedata.category(character)[0] == "C" for character in password):
        raise invalid_field("password", "must not have control or format characters")
    return password
