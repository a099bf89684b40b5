"""Who gets a free seat at a match, and what is asked of him there before the start."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

USUAL_PASSWORD_COST: Final = 14
"""Doublings; with 14 a key takes 16 MiB and, measured on one slow core, some 50 ms."""
_BLOCK: Final = 8
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class PasswordKey:
    """What is kept of a password: enough to know it again, and little help to find it out.

    `key` is scrypt (RFC 7914) of the password with N = 2 ** `cost`, r = 8, p = 1. A salt is 16
    random bytes, used for one password alone.
    """

    salt: bytes
    key: bytes
    cost: int = USUAL_PASSWORD_COST

    def is_made_by(self, key: bytes) -> bool:
        """Tell whether that is the key, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(self.key, key)


def password_key(password: str, salt: bytes, cost: int = USUAL_PASSWORD_COST) -> PasswordKey:
    """Return the key of a password. It takes long on purpose: never call it in an event loop."""
    size = 2**cost
    key = hashlib.scrypt(
        password.encode(),
        salt=salt,
        n=size,
        r=_BLOCK,
        p=1,
        maxmem=2 * 128 * _BLOCK * size,
        dklen=_KEY_BYTES,
    )
    return PasswordKey(salt, key, cost)


@dataclass(frozen=True, slots=True)
class Admission:
    """What a match asks of those who want a free seat, besides that they may find it.

    Whoever has the invite code needs no password.
    """

    password: PasswordKey | None = None
    invite_lifetime: timedelta | None = None
    """How long the first invite code is taken; None: as long as the match waits for players."""
    requires_ready: bool = False
    """The match starts only when every human has said that he is ready."""
    reserved_for: tuple[str, ...] = ()
    """Players for each of whom a seat is kept; they need neither password nor code."""
    reserved_for_code: int = 0
    """How many seats are kept for those who come by the invite code."""


ANYBODY: Final = Admission()
"""Nothing is asked."""
