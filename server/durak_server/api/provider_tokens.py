"""Bearer tokens that an identity provider has signed."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

import jwt

from durak_server.api.callers import Caller, Scope, TokenExpired, TokenInvalid, scopes_named
from durak_server.api.failures import CallFailed
from durak_server.api.key_set import KeySet
from durak_server.api.requests import player_name
from durak_server.api.verified_tokens import VerifiedTokens

# Printable, no space; an id that looks like a house bot's would be taken for one in a log.
_SUBJECT: Final = re.compile(r"(?!bot-)[!-~]{1,64}")
_NAMED: Final = frozenset({Scope.PLAY, Scope.BOT})
# Claims are checked here: against our own clock, and so that each fault is told.
_OPTIONS: Final[jwt.types.Options] = {
    "verify_aud": False,
    "verify_exp": False,
    "verify_iat": False,
    "verify_iss": False,
    "verify_nbf": False,
    "verify_sub": False,
    "enforce_minimum_key_length": True,
}
_Claims: TypeAlias = Mapping[str, Any]  # Any: whatever the provider puts in


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Which tokens are taken."""

    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    """Asymmetric ones only, by their names in RFC 7518 and 8037."""
    leeway: timedelta
    """How far the provider's clock may be off."""


class ProviderTokens:
    """Checks tokens; remembers those it has checked until they expire or the keys change."""

    def __init__(self, rules: TokenRules, keys: KeySet, now: Callable[[], datetime]) -> None:
        self._rules = rules
        self._keys = keys
        self._now = now
        self._verified = VerifiedTokens()
        self._verified_with = keys.version

    async def verify(self, token: str) -> Caller:
        """Return whose token it is.

        Raises:
            TokenInvalid: the provider has not signed it for this server, or it says too little.
            TokenExpired: its time is over.
            KeysMissing: nobody can tell now.
        """
        if self._verified_with != self._keys.version:
            self._verified_with = self._keys.version
            self._verified.clear()
        caller = self._verified.find(token)
        if caller is None:
            caller = self._caller(await self._claims(token))
            self._verified.add(token, caller)
        if caller.expires_at <= self._now().timestamp():
            self._verified.discard(token)
            raise TokenExpired
        return caller

    async def _claims(self, token: str) -> _Claims:
        try:
            header = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            raise TokenInvalid from None
        key_id, algorithm = header.get("kid"), header.get("alg", "")
        keys = self._keys.fitting(key_id, algorithm)
        claims, version = self._proven(token, keys), self._keys.version
        if claims is None and (key_id is None or not keys):
            await self._keys.search()
            if version != self._keys.version:
                claims = self._proven(token, self._keys.fitting(key_id, algorithm))
        if claims is None:
            raise TokenInvalid
        return claims

    def _proven(self, token: str, keys: Iterable[jwt.PyJWK]) -> _Claims | None:
        """Return the claims of a token that one of the keys has signed; None if none has."""
        for key in keys:
            with suppress(jwt.PyJWTError):
                return jwt.decode(token, key, list(self._rules.algorithms), options=_OPTIONS)
        return None

    def _caller(self, claims: _Claims) -> Caller:
        """Return whom these claims are about.

        Raises:
            TokenInvalid: one of them is missing, malformed or not meant for this server.
        """
        if claims.get("iss") != self._rules.issuer:
            raise TokenInvalid("iss")
        audience = claims.get("aud")
        if self._rules.audience not in (audience if isinstance(audience, list) else [audience]):
            raise TokenInvalid("aud")
        player_id = claims.get("sub")
        if not (isinstance(player_id, str) and _SUBJECT.fullmatch(player_id)):
            raise TokenInvalid("sub")
        leeway = self._rules.leeway.total_seconds()
        if _moment(claims, "nbf", usually=0) - leeway > self._now().timestamp():
            raise TokenInvalid("nbf")
        scopes = scopes_named(" ".join(_words(claims.get("scope"), claims.get("scp"))))
        return Caller(player_id, _name(claims, scopes), scopes, _moment(claims, "exp") + leeway)


def _moment(claims: _Claims, claim: str, usually: float | None = None) -> float:
    """Return a moment in seconds since 1970; what is `usually` so may be left out."""
    seconds = claims.get(claim, usually)
    if isinstance(seconds, int | float):
        # JSON knows integers that are larger than any float.
        with suppress(OverflowError):
            if math.isfinite(moment := float(seconds)):
                return moment
    raise TokenInvalid(claim)


def _name(claims: _Claims, scopes: frozenset[Scope]) -> str:
    """Return the display name, by the rules for guests; empty for who takes no seat."""
    if scopes.isdisjoint(_NAMED):
        return ""
    name = claims.get("name")
    if not isinstance(name, str):
        raise TokenInvalid("name")
    try:
        return player_name(name)
    except CallFailed:
        raise TokenInvalid("name") from None


def _words(*claims: object) -> Iterator[str]:
    """Yield what a claim says, whether as text or as a list of texts."""
    for claim in claims:
        match claim:
            case str():
                yield claim
            case list():
                yield from (word for word in claim if isinstance(word, str))
