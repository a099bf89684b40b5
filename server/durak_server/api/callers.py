"""Who calls, as his token proves it, and what he may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol


class Scope(StrEnum):
    """What a token lets its bearer do."""

    PLAY = "play"
    BOT = "bot"
    """The same as PLAY, for a program: so that its operator can tell whom he let in."""
    WATCH = "watch"
    ADMIN = "admin"
    HANDS = "admin.hands"
    """To look at hidden cards, for an ADMIN."""


_SUFFICIENT: Final[Mapping[Scope, frozenset[Scope]]] = {
    Scope.PLAY: frozenset({Scope.PLAY, Scope.BOT}),
    Scope.WATCH: frozenset({Scope.WATCH, Scope.PLAY, Scope.BOT}),
    Scope.ADMIN: frozenset({Scope.ADMIN}),
    Scope.HANDS: frozenset({Scope.HANDS}),
}
"""Any one of these will do where the key is wanted."""


class TokenInvalid(Exception):
    """The token proves nothing here, or says too little.

    `claim` is the claim at fault, empty unless the signature is good: nobody else is told.
    """

    def __init__(self, claim: str = "") -> None:
        super().__init__(claim)
        self.claim = claim


class TokenExpired(Exception):
    """The token was good once."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A player's id, his display name, what his token is for, and when that ends.

    `expires_at` is in seconds since 1970, UTC. Who neither plays nor is a bot may have no name.
    """

    player_id: str
    name: str
    scopes: frozenset[Scope]
    expires_at: float

    def may(self, wanted: Scope) -> bool:
        """Tell whether a call that wants this scope is open to him."""
        return not self.scopes.isdisjoint(_SUFFICIENT[wanted])


class Identities(Protocol):
    """Tells whose token it is."""

    async def verify(self, token: str) -> Caller:
        """Return whose token it is.

        Raises:
            TokenInvalid: it proves nobody.
            TokenExpired: its time is over.
        """


def scopes_named(text: str) -> frozenset[Scope]:
    """Return those scopes of ours that a text names, parted by spaces; others are left out."""
    return frozenset(Scope(word) for word in text.split() if word in set(Scope))
