"""The server's settings: environment variables DURAK_..., overridden by the flags of `serve`."""

import os
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

Network: TypeAlias = IPv4Network | IPv6Network
PREFIX: Final = "DURAK_"
SHORTEST_SECRET: Final = 32
"""Characters that a secret must have at least, wherever it comes from."""
_STORE_FILE: Final = "durak.sqlite"
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class InvalidSettings(Exception):
    """A setting is unknown or malformed; the text says which, in one line."""


class StoreKind(StrEnum):
    """Where matches are kept."""

    SQLITE = "sqlite"
    MEMORY = "memory"


class LogFormat(StrEnum):
    """How log lines are written; AUTO is CONSOLE on a terminal, else JSON."""

    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The least important lines that are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """Everything that can be set. Each field's description is its documentation."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="forbid",
        frozen=True,
        str_strip_whitespace=True,
        allow_inf_nan=False,
    )

    listen: str = Field(
        "127.0.0.1:50051",
        description="Where the API listens, HOST:PORT. Port 0: the system chooses one.",
    )
    metrics_listen: str = Field(
        "127.0.0.1:9090",
        description="Where /metrics, /livez and /readyz are served. Empty: nowhere.",
    )
    store: StoreKind = Field(StoreKind.SQLITE, description="Where matches are kept.")
    data: Path = Field(Path("data"), description="Folder of the sqlite store and the token secret.")

    insecure: bool = Field(
        False, description="Allow an address other than loopback to be served without TLS."
    )
    tls_certificate: Path | None = Field(None, description="PEM file: the server's certificates.")
    tls_key: Path | None = Field(None, description="PEM file: the key of the certificate.")
    tls_client_ca: Path | None = Field(
        None, description="PEM file: clients must show a certificate signed by one of these."
    )

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

    log_format: LogFormat = Field(LogFormat.AUTO, description="How log lines are written.")
    log_level: LogLevel = Field(LogLevel.INFO, description="The least important lines written.")
    log_lines_per_second: int = Field(
        10, ge=1, le=100_000, description="Lines of calls refused with the same status code."
    )

    bot_delay_min_seconds: float = Field(
        0.3, ge=0, le=60, description="The least time a house bot takes for a move."
    )
    bot_delay_max_seconds: float = Field(
        1.2, ge=0, le=60, description="The most time a house bot takes for a move."
    )

    message_max_bytes: int = Field(
        65_536, ge=1024, le=2**20, description="The largest request taken."
    )
    matches_per_player: int = Field(
        1_000, ge=1, le=10**6, description="Open and running matches at which one player may sit."
    )
    streams_per_player: int = Field(
        1_000, ge=1, le=10**6, description="Event streams open for one player."
    )
    tokenless_streams_per_address: int = Field(
        100, ge=1, le=10_000, description="Health and reflection streams open for one address."
    )
    streams_per_match: int = Field(
        1_000, ge=1, le=10**6, description="Event streams open for one match."
    )
    match_inbox_size: int = Field(
        64, ge=1, le=10_000, description="Commands that may wait for one match."
    )
    matches_per_stream: int = Field(
        1_000, ge=1, le=10_000, description="Matches that one stream of Play may follow."
    )
    calls_per_second: float = Field(
        2_000,
        gt=0,
        le=1e6,
        description="Calls of one player, sustained; a burst may have twice as many.",
    )
    address_calls_per_second: float = Field(
        5_000,
        gt=0,
        le=1e6,
        description="Calls from one address, with a token or without, sustained; a burst may have"
        " twice as many.",
    )
    guests_per_second: float = Field(
        50,
        gt=0,
        le=1e6,
        description="Guests made from one address, sustained; bursts of 20 times as many.",
    )

    trusted_proxies: str = Field(
        "",
        description="Networks such as 10.0.0.0/8, parted by commas: x-forwarded-for is believed if"
        " it comes from there. Empty: from nobody.",
    )

    heartbeat_seconds: float = Field(
        10, gt=0, le=15, description="The longest silence of an event stream."
    )
    ping_seconds: float = Field(
        20,
        ge=0.05,
        le=3600,
        description="How often a connection is pinged; it ends if no answer comes for as long.",
    )
    watcher_lag_events: int = Field(
        20_000, ge=1, le=10**6, description="A stream this many events behind is ended."
    )
    watcher_stall_seconds: float = Field(
        30, gt=0, le=3600, description="A stream whose reader takes nothing for so long is ended."
    )
    match_idle_seconds: float = Field(
        60,
        ge=0,
        le=86_400,
        description="A match that nobody follows or plays leaves memory after so long.",
    )

    lag_allowance_seconds: float = Field(
        1.0,
        ge=0,
        le=60,
        description="A player's time has run out only so long after the deadline shown to him.",
    )

    open_match_seconds: float = Field(
        3600,
        ge=1,
        le=10**9,
        description="An open match in which no human acts for so long is abandoned.",
    )
    playing_match_seconds: float = Field(
        24 * 3600,
        ge=1,
        le=10**9,
        description="A match being played in which no human acts for so long is abandoned.",
    )
    presence_grace_seconds: float = Field(
        20, ge=0, le=86_400, description="Who neither calls nor has a stream for so long is away."
    )

    rematch_seconds: float = Field(
        120,
        ge=0,
        le=86_400,
        description="How long after a match a stream that asked to waits for a rematch.",
    )

    drain_settle_seconds: float = Field(
        0.5, ge=0, le=3600, description="On SIGTERM: time to serve on until balancers have noticed."
    )
    drain_grace_seconds: float = Field(
        10, ge=0, le=3600, description="On SIGTERM: time for the calls in flight to finish."
    )

    @property
    def store_file(self) -> Path:
        """The file of the sqlite store."""
        return self.data / _STORE_FILE

    @property
    def trusted_networks(self) -> tuple[Network, ...]:
        """The networks of `trusted_proxies`."""
        return tuple(ip_network(part.strip()) for part in self.trusted_proxies.split(",") if part)

    @field_validator("listen", "metrics_listen")
    @classmethod
    def _has_host_and_port(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if value and not (host and port.isascii() and port.isdigit() and int(port) < 65_536):
            raise ValueError(f"must be HOST:PORT, not {value!r}")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _has_networks(cls, value: str) -> str:
        for part in value.split(",") if value else ():
            ip_network(part.strip())
        return value

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
    def _holds_together(self) -> Self:
        if not self.listen:
            raise ValueError("listen must not be empty")
        if self.bot_delay_min_seconds > self.bot_delay_max_seconds:
            raise ValueError("bot_delay_min_seconds is more than bot_delay_max_seconds")
        if self.token_secret and self.token_secret_file:
            raise ValueError("set one of token_secret and token_secret_file")
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.tls_client_ca and not self.tls_certificate:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key")
        if not (self.insecure or self.tls_certificate or is_loopback(self.listen)):
            raise ValueError(
                f"{self.listen} is not loopback and there is no TLS: tokens could be read on the"
                " way; set tls_certificate and tls_key, or allow it with --insecure"
            )
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


def is_loopback(address: str) -> bool:
    """Tell whether HOST:PORT is reached from this machine only."""
    return address.rpartition(":")[0] in _LOOPBACK


def load_settings(
    **flags: Any,  # Any: each setting has a type of its own
) -> Settings:
    """Return the settings of the environment, overridden by those `flags` that are not None.

    Raises:
        InvalidSettings: a DURAK_ variable is unknown, or a value is malformed.
    """
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise InvalidSettings(f"unknown setting {name}; `durak-server config` lists them all")
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        raise InvalidSettings(_first_fault(error)) from None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    text = fault["msg"].removeprefix("Value error, ")
    return f"{PREFIX}{str(fault['loc'][0]).upper()}: {text}" if fault["loc"] else text
