"""Who may say who calls."""

from pathlib import Path
from typing import Final, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

SHORTEST_SECRET: Final = 32
"""Characters that a secret must have at least, wherever it comes from."""


class IdentitySettings(BaseSettings):
    """What tokens are signed and checked with."""

    token_secret: SecretStr | None = Field(
        None,
        description="Signs guest tokens, 32 characters or more. Unset: made once, beside the data.",
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

    @model_validator(mode="after")
    def _has_one_secret(self) -> Self:
        if self.token_secret and self.token_secret_file:
            raise ValueError("set one of token_secret and token_secret_file")
        return self


def read_secret(file: Path) -> str:
    """Return the secret that a file holds, white space around it taken off.

    Raises:
        ValueError: the file cannot be read, or its secret is too short.
    """
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"cannot read {file}: {error.strerror}") from None
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"{file} must hold {SHORTEST_SECRET} characters or more")
    return secret
