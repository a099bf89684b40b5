"""All settings together: those of this file, and those of the files that it imports."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, Self, TypeAlias

from pydantic import Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from durak_server.config.identity import IdentitySettings
from durak_server.config.listening import ListenSettings
from durak_server.config.log import LogSettings
from durak_server.config.tracing import TracingSettings

Network: TypeAlias = IPv4Network | IPv6Network
PREFIX: Final = "DURAK_"


class Settings(LogSettings, TracingSettings, IdentitySettings, ListenSettings):
    """Everything that can be set. Each field's description is its documentation."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="forbid",
        frozen=True,
        str_strip_whitespace=True,
        allow_inf_nan=False,
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
        50, ge=1, le=10**6, description="Event streams open for one player."
    )
    tokenless_streams_per_address: int = Field(
        100, ge=1, le=10_000, description="Health and reflection streams open for one address."
    )
    streams_per_address: int = Field(
        5_000, ge=1, le=10**6, description="Event streams open from one address."
    )
    open_calls_per_address: int = Field(
        5_000, ge=1, le=10**6, description="Calls open from one address that are no streams."
    )
    streams_per_match: int = Field(
        1_000,
        ge=1,
        le=10**6,
        description="Event streams open to one match, of those without a seat there.",
    )
    watching_streams_per_address: int = Field(
        100,
        ge=1,
        le=10**6,
        description="Streams open from one address to one match, of those without a seat there;"
        " and as many to the lobby.",
    )
    invite_seconds: float = Field(
        86_400,
        ge=60,
        le=30 * 86_400,
        description="How long an invite code is valid, unless its maker asks for another time.",
    )
    lobby_streams: int = Field(
        1_000, ge=1, le=10**6, description="Streams open to the lobby, of all players together."
    )
    lobby_pause_seconds: float = Field(
        0.5,
        ge=0,
        le=10,
        description="The shortest time between two rounds of changes on a lobby stream.",
    )
    match_inbox_size: int = Field(
        64, ge=1, le=10_000, description="Commands that may wait for one match."
    )
    matches_per_stream: int = Field(
        1_000, ge=1, le=10_000, description="Matches that one stream of Play may follow."
    )
    follows_per_player: int = Field(
        2_000,
        ge=1,
        le=10**6,
        description="Matches that one player may follow on all his streams of Play together.",
    )
    calls_per_second: float = Field(
        100,
        gt=0,
        le=1e6,
        description="Calls that one player may make, sustained; a burst may have twice as many.",
    )
    address_calls_per_second: float = Field(
        1_000,
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
    matches_made_per_second: float = Field(
        2,
        gt=0,
        le=1e6,
        description="Matches made from one address, sustained; bursts of 50 times as many.",
    )

    refusal_hold_seconds: float = Field(
        1,
        ge=0,
        le=60,
        description="The longest time for which the refusal of a call that came too fast is held"
        " back.",
    )

    request_seconds: float = Field(
        10,
        gt=0,
        le=600,
        description="How long the server waits for the message of a call.",
    )

    talk_pause_seconds: float = Field(
        2,
        ge=0.01,
        le=3600,
        description="Time between two things that one player says at tables; three may come at"
        " once.",
    )
    talk_text_characters: int = Field(
        200, ge=1, le=2000, description="The longest text that a player may say at a table."
    )

    table_pause_seconds: float = Field(
        2,
        ge=0.01,
        le=3600,
        description="Time between two changes that one player makes to a match before it starts"
        " (ready or not, coming again, bots, invites); 20 may come at once.",
    )

    passwords_per_second: float = Field(
        0.2,
        gt=0,
        le=1e6,
        description="Passwords of matches that one player may give, right or wrong, sustained;"
        " bursts of 60 times as many.",
    )
    address_passwords_per_second: float = Field(
        2,
        gt=0,
        le=1e6,
        description="Passwords of matches from one address, sustained; bursts of 60 times as many.",
    )

    trusted_proxies: str = Field(
        "",
        description="Networks, such as 10.0.0.0/8, separated by commas, whose x-forwarded-for is"
        " believed. Empty: nobody's.",
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
        20_000, ge=1, le=10**6, description="A stream that falls so many events behind is ended."
    )
    watcher_stall_seconds: float = Field(
        30, gt=0, le=3600, description="A stream whose reader takes nothing for this long is ended."
    )
    match_idle_seconds: float = Field(
        60,
        ge=0,
        le=86_400,
        description="A match that nobody follows or plays leaves memory after this time.",
    )

    lag_allowance_seconds: float = Field(
        1.0,
        ge=0,
        le=60,
        description="How long after the deadline shown to a player his turn is ended.",
    )
    return_allowance_seconds: float = Field(
        10,
        ge=0,
        le=3600,
        description="After a restart: time for players to come back before their clocks go on.",
    )
    return_limit_seconds: float = Field(
        60,
        ge=0,
        le=3600,
        description="After a restart: the longest time for which a player who has not come back"
        " loses no turn.",
    )

    open_match_seconds: float = Field(
        3600,
        ge=1,
        le=10**9,
        description="An open match in which no human acts for this long is abandoned.",
    )
    playing_match_seconds: float = Field(
        24 * 3600,
        ge=1,
        le=10**9,
        description="A match being played in which no human acts for this long is abandoned.",
    )
    timeouts_in_a_row: int = Field(
        50,
        ge=6,
        le=10**9,
        description="A match is abandoned after so many turns in a row that time out while no"
        " human acts.",
    )
    presence_grace_seconds: float = Field(
        20,
        ge=0,
        le=86_400,
        description="A player without a call or a stream counts as away after this time, and after"
        " twice as long if he comes and goes all the time.",
    )

    rematch_seconds: float = Field(
        120,
        ge=0,
        le=86_400,
        description="How long after a match a stream waits for a rematch, if it asked to.",
    )

    drain_settle_seconds: float = Field(
        0.5,
        ge=0,
        le=3600,
        description="On SIGTERM: how long to serve on, for load balancers to notice.",
    )
    drain_grace_seconds: float = Field(
        10, ge=0, le=3600, description="On SIGTERM: how long calls in flight may take to finish."
    )

    @property
    def trusted_networks(self) -> tuple[Network, ...]:
        """The networks of `trusted_proxies`."""
        return tuple(ip_network(part.strip()) for part in self.trusted_proxies.split(",") if part)

    @field_validator(
        "tls_certificate",
        "tls_key",
        "tls_client_ca",
        "jwks_file",
        "token_secret",
        "token_secret_file",
        mode="before",
    )
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        """Return None for an empty text, which would be the folder "." as a path."""
        return None if value == "" else value

    @field_validator("trusted_proxies")
    @classmethod
    def _has_networks(cls, value: str) -> str:
        for part in value.split(",") if value else ():
            ip_network(part.strip())
        return value

    @model_validator(mode="after")
    def _bots_have_a_span(self) -> Self:
        if self.bot_delay_min_seconds > self.bot_delay_max_seconds:
            raise ValueError("bot_delay_min_seconds is more than bot_delay_max_seconds")
        return self
