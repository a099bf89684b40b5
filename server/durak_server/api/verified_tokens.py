"""Tokens whose signatures were checked: checking costs more than a whole call."""

import hashlib
from typing import Final

from durak_server.api.callers import Caller

_MOST: Final = 20_000


class VerifiedTokens:
    """Remembers whose tokens those are; beyond 20,000 the oldest is forgotten."""

    def __init__(self) -> None:
        # By their hashes: whoever reads the memory finds no token, and a long one takes no room.
        self._callers: dict[bytes, Caller] = {}

    def find(self, token: str) -> Caller | None:
        """Return whose token it is, if it was checked."""
        return self._callers.get(_hash(token))

    def add(self, token: str, caller: Caller) -> None:
        """Remember whose it is."""
        if len(self._callers) >= _MOST:
            # The oldest; a token that is still used is checked once more, that is all.
            del self._callers[next(iter(self._callers))]
        self._callers[_hash(token)] = caller

    def discard(self, token: str) -> None:
        """Forget one."""
        self._callers.pop(_hash(token), None)

    def clear(self) -> None:
        """Forget all: they may have been signed with a key that is no longer good."""
        self._callers.clear()


def _hash(token: str) -> bytes:
    return hashlib.blake2b(token.encode(), digest_size=32).digest()
