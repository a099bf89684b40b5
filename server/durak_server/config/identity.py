"""Who may say who calls."""

from enum import StrEnum
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

SHORTEST_SECRET: Final = 32
"""Characters that a secret must have at least, wherever it comes from."""


_ASYMMETRIC: Final = frozenset(
    f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)
) | {"EdDSA"}


_LOOPBACK_URLS: Final = frozenset(("http", host) for host in ("127.0.0.1", "localhost", "::1"))


class AuthMode(StrEnum):
    """Who signs the tokens: the server itself, or an identity provider."""

    GUEST = "guest"
    JWT = "jwt"


class IdentitySettings(BaseSettings):
    """What tokens are signed and checked with."""

    auth: AuthMode = Field(
        AuthMode.GUEST,
        description="Who signs tokens: the server, for guests, or an identity provider (jwt).",
    )
    jwt_issuer: str = Field("", description="The claim iss of the identity provider's tokens.")
    jwt_audience: str = Field("", description="What their claim aud must name.")
    jwks_url: str = Field(
        "", description="Where the provider's keys are; https, or http from loopback."
    )
    jwks_file: Path | None = Field(
        None, description="File of the provider's keys, in place of jwks_url."
    )
    jwt_algorithms: str = Field(
        "RS256,ES256,EdDSA",
        description="Signature algorithms accepted, separated by commas: RS, PS or ES with 256,"
        " 384 or 512, and EdDSA.",
    )
    jwt_leeway_seconds: float = Field(
        30, ge=0, le=600, description="How far the provider's clock may be off."
    )
    jwks_refresh_seconds: float = Field(
        300,
        ge=1,
        le=86_400,
        description="How often the keys are read; a withdrawn key is accepted until then.",
    )
    jwks_cooldown_seconds: float = Field(
        10,
        ge=0.1,
        le=3600,
        description="The shortest time between two readings of the keys for tokens with an"
        " unknown key.",
    )

    token_secret: SecretStr | None = Field(
        None,
        description="Signs guest tokens; 32 characters or more. Unset: made once and kept with"
        " the data.",
    )
    token_secret_file: Path | None = Field(
        None, description="File that holds the token secret, in place of token_secret."
    )
    token_lifetime_seconds: int = Field(
        30 * 24 * 3600, ge=1, le=2**31 - 1, description="How long a guest's token is valid."
    )

    @field_validator("token_secret")
    @classmethod
    def _cannot_be_guessed(cls, value: SecretStr | None) -> SecretStr | None:
        if value and len(value.get_secret_value()) < SHORTEST_SECRET:
            raise ValueError(f"must have {SHORTEST_SECRET} characters or more")
        return value

    @field_validator("token_secret_file")
    @classmethod
    def _holds_a_secret(cls, value: Path | None) -> Path | None:
        if value:
            read_secret(value)
        return value

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names in `jwt_algorithms`."""
        return tuple(name.strip() for name in self.jwt_algorithms.split(","))

    @field_validator("jwt_algorithms")
    @classmethod
    def _are_asymmetric(cls, value: str) -> str:
        for name in value.split(","):
            if name.strip() not in _ASYMMETRIC:
                raise ValueError(f"must be of {', '.join(sorted(_ASYMMETRIC))}, not {name!r}")
        return value

    @field_validator("jwks_url")
    @classmethod
    def _cannot_be_forged(cls, value: str) -> str:
        url = urlsplit(value)
        is_safe = url.scheme == "https" or (url.scheme, url.hostname) in _LOOPBACK_URLS
        if value and not (is_safe and url.hostname):
            raise ValueError("must be https, or http from loopback")
        if url.username or url.password:
            raise ValueError("must not have a password: keys are public")
        return value

    @model_validator(mode="after")
    def _knows_its_provider(self) -> Self:
        if self.auth is AuthMode.GUEST:
            self._refuse_a_provider()
            return self
        if not (self.jwt_issuer and self.jwt_audience):
            raise ValueError("auth jwt needs jwt_issuer and jwt_audience")
        if bool(self.jwks_url) == bool(self.jwks_file):
            raise ValueError("auth jwt needs one of jwks_url and jwks_file")
        return self

    def _refuse_a_provider(self) -> None:
        """Refuse what only an identity provider needs: whoever sets it wants no guests."""
        for name, field in IdentitySettings.model_fields.items():
            if name.startswith(("jwt_", "jwks_")) and getattr(self, name) != field.default:
                raise ValueError(f"{name} needs auth jwt")

    @model_validator(mode="after")
    def _has_one_secret(self) -> Self:
        if self.token_secret and self.token_secret_file:
            raise ValueError("set one of token_secret and token_secret_file")
        return self


def read_secret(file: Path) -> str:
    """Return the secret that a file holds, white space around it taken off.

    Raises:
        ValueError: the file cannot be read, is not text, or its secret is too short.
    """
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:  # which tells a byte of it
        raise ValueError(f"{file} is not UTF-8 text") from None
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"{file} must hold {SHORTEST_SECRET} characters or more")
    return secret
