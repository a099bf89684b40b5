"""Bearer tokens: JWTs that this server signs for its guests."""

import os
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import jwt

from durak_server.config import SHORTEST_SECRET

ISSUER: Final = "durak-server"
AUDIENCE: Final = "durak"
SCOPE: Final = "play"
_ALGORITHM: Final = "HS256"
_CACHE_SIZE: Final = 20_000


class SecretNotUsable(Exception):
    """The secret that was kept is cut, empty or no text; the message is for the operator."""


class TokenInvalid(Exception):
    """The token is not one that this server signed, or says too little."""


class TokenExpired(Exception):
    """The token was good once."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the player's id and his display name."""

    player_id: str
    name: str


@dataclass(frozen=True, slots=True)
class _Verified:
    caller: Caller
    expires_at: float


class Tokens:
    """Signs and checks tokens; remembers those it has checked until they expire."""

    def __init__(self, secret: str, lifetime: timedelta, now: Callable[[], datetime]) -> None:
        self._secret = secret
        self._lifetime = lifetime
        self._now = now
        self._verified: dict[str, _Verified] = {}

    @property
    def lifetime(self) -> timedelta:
        """How long a new token is valid."""
        return self._lifetime

    def new_guest(self, name: str) -> tuple[Caller, str]:
        """Make a player who did not exist before, and the token that proves him."""
        caller = Caller(player_id=uuid.uuid4().hex, name=name)
        now = self._now()
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": caller.player_id,
            "name": name,
            "scope": SCOPE,
            "iat": now,
            "exp": now + self._lifetime,
        }
        return caller, jwt.encode(claims, self._secret, algorithm=_ALGORITHM)

    def verify(self, token: str) -> Caller:
        """Return whose token it is.

        Raises:
            TokenInvalid: it was not signed here, or lacks the scope to play.
            TokenExpired: its time is over.
        """
        verified = self._verified.get(token)
        if verified is None:
            verified = self._decode(token)
            self._remember(token, verified)
        if verified.expires_at <= self._now().timestamp():
            self._verified.pop(token, None)
            raise TokenExpired
        return verified.caller

    def _decode(self, token: str) -> _Verified:
        try:
            claims = jwt.decode(
                token,
                self._secret,
                algorithms=[_ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                # The time is checked against our own clock, also for tokens checked before.
                options={"require": ["exp", "sub"], "verify_exp": False, "verify_iat": False},
            )
        except jwt.InvalidTokenError:
            raise TokenInvalid from None
        name, scope = claims.get("name"), claims.get("scope")
        if not isinstance(name, str) or SCOPE not in str(scope).split():
            raise TokenInvalid
        return _Verified(Caller(claims["sub"], name), float(claims["exp"]))

    def _remember(self, token: str, verified: _Verified) -> None:
        if len(self._verified) >= _CACHE_SIZE:
            # The oldest; a token that is still used is decoded once more, that is all.
            del self._verified[next(iter(self._verified))]
        self._verified[token] = verified


def secret_beside(folder: Path) -> str:
    """Return the secret kept in `folder`, made at the first call and readable by its owner only.

    Raises:
        OSError: the file cannot be read or made.
        SecretNotUsable: what it holds could be guessed.
    """
    path = folder / "token.secret"
    if path.exists():
        return _kept_secret(path)
    secret = new_secret()
    unfinished = folder / "token.secret.new"
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return secret


def _kept_secret(path: Path) -> str:
    secret = path.read_bytes().strip()
    if len(secret) < SHORTEST_SECRET or not secret.isascii():
        raise SecretNotUsable(
            f"{path} does not hold {SHORTEST_SECRET} characters or more: put its copy back, or"
            " remove it to have a new one, with which every token given out so far is void"
        )
    return secret.decode()


def new_secret() -> str:
    """Return a secret that nobody has seen; tokens signed with it end with the process."""
    return secrets.token_urlsafe(48)
