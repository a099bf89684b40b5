"""Who says who calls, as the settings want it."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from durak_server.api import (
    Identities,
    KeySet,
    KeysMissing,
    MatchIds,
    ProviderTokens,
    TokenRules,
    Tokens,
    keys_at,
    keys_in,
)
from durak_server.config import AuthMode, Settings
from durak_server.observe.metrics import Metrics
from durak_server.runtime import Timekeeper


@dataclass(frozen=True, slots=True)
class Identity:
    """Tells callers apart; makes guests, or keeps an identity provider's keys, but not both.

    `match_ids` come from the same secret as guests' tokens.
    """

    identities: Identities
    match_ids: MatchIds
    guests: Tokens | None = None
    keys: KeySet | None = None


async def open_identity(
    settings: Settings, secret: str, metrics: Metrics, time: Timekeeper
) -> Identity:
    """Return what tells callers apart; `secret` signs guests' tokens, and hides ids.

    A provider that cannot be reached now is asked again later, but a file must be there.

    Raises:
        KeysMissing: the file cannot be read, or holds no key.
    """
    match_ids = MatchIds(secret)
    if settings.auth is AuthMode.GUEST:
        tokens = Tokens(secret, timedelta(seconds=settings.token_lifetime_seconds), time.now)
        return Identity(tokens, match_ids, guests=tokens)
    keys = KeySet(
        keys_in(settings.jwks_file) if settings.jwks_file else keys_at(settings.jwks_url),
        timedelta(seconds=settings.jwks_cooldown_seconds),
        time,
        metrics.identity,
    )
    await keys.refresh()
    if settings.jwks_file and not keys.version:
        raise KeysMissing(_why_no_key(settings.jwks_file))
    rules = TokenRules(
        settings.jwt_issuer,
        settings.jwt_audience,
        settings.algorithms,
        timedelta(seconds=settings.jwt_leeway_seconds),
    )
    return Identity(ProviderTokens(rules, keys, time.now), match_ids, keys=keys)


def _why_no_key(file: Path) -> str:
    try:
        file.read_bytes()
    except OSError as error:
        return f"cannot read {file}: {error.strerror}"
    return f"{file} holds no key that can be used"
