"""Bearer tokens: JWTs that this server signs itself."""

import os
import secrets
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import jwt

from durak_server.api.callers import Caller, Scope, TokenExpired, TokenInvalid, scopes_named
from durak_server.api.verified_tokens import VerifiedTokens
from durak_server.config import SHORTEST_SECRET

SECRET_FILE: Final = "token.secret"
"""In the data folder: what a server signs with that was given no other secret."""

ISSUER: Final = "durak-server"
AUDIENCE: Final = "durak"
_ALGORITHM: Final = "HS256"


class SecretNotUsable(Exception):
    """The secret that was kept is cut, empty or no text; the message is for the operator."""


class Tokens:
    """Signs tokens and checks them."""

    def __init__(self, secret: str, lifetime: timedelta, now: Callable[[], datetime]) -> None:
        self._secret = secret
        self._lifetime = lifetime
        self._now = now
        self._verified = VerifiedTokens()

    @property
    def lifetime(self) -> timedelta:
        """How long a new token is valid."""
        return self._lifetime

    def new_guest(self, name: str) -> tuple[Caller, str]:
        """Make a player who did not exist before, and the token that proves him."""
        expires_at = (self._now() + self._lifetime).timestamp()
        caller = Caller(uuid.uuid4().hex, name, frozenset({Scope.PLAY}), int(expires_at))
        return caller, self.sign(caller)

    def sign(self, caller: Caller) -> str:
        """Return a token that proves somebody until his time is over."""
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": caller.player_id,
            "name": caller.name,
            "scope": " ".join(sorted(caller.scopes)),
            "iat": self._now(),
            "exp": int(caller.expires_at),
        }
        return jwt.encode(claims, self._secret, algorithm=_ALGORITHM)

    async def verify(self, token: str) -> Caller:
        """Return whose token it is.

        Raises:
            TokenInvalid: it was not signed here, or says too little.
            TokenExpired: its time is over.
        """
        caller = self._verified.find(token)
        if caller is None:
            caller = self._decode(token)
            self._verified.add(token, caller)
        if caller.expires_at <= self._now().timestamp():
            self._verified.discard(token)
            raise TokenExpired
        return caller

    def _decode(self, token: str) -> Caller:
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
        name = claims.get("name")
        if not isinstance(name, str):
            raise TokenInvalid("name")
        scopes = scopes_named(str(claims.get("scope")))
        return Caller(claims["sub"], name, scopes, float(claims["exp"]))


def secret_beside(folder: Path) -> str:
    """Return the secret kept in `folder`, made at the first call and readable by its owner only.

    Raises:
        OSError: the file cannot be read or made.
        SecretNotUsable: what it holds could be guessed.
    """
    kept = kept_secret(folder)
    if kept is not None:
        return kept
    path, secret = folder / SECRET_FILE, new_secret()
    unfinished = folder / f"{SECRET_FILE}.new"
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return secret


def kept_secret(folder: Path) -> str | None:
    """Return the secret kept in `folder`, None if there is none.

    Raises:
        OSError: the file cannot be read.
        SecretNotUsable: what it holds could be guessed.
    """
    path = folder / SECRET_FILE
    if not path.exists():
        return None
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
