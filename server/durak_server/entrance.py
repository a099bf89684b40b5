"""How calls come in: what each passes through on its way to a service, as the settings want it."""

from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Final

from durak_server.api import (
    Addresses,
    AddressLimit,
    CallErrors,
    CallLines,
    CallLogs,
    CallMetrics,
    CallTraces,
    Concern,
    Gate,
    Identities,
    Passwords,
    RateLimit,
    StreamCount,
    TalkLimits,
    TokenBuckets,
    TokenlessStreams,
    WellFormed,
)
from durak_server.config import Settings
from durak_server.observe.metrics import Metrics
from durak_server.observe.sampling import LineSampler
from durak_server.observe.spans import Spans
from durak_server.runtime import Bans, Presences, Timekeeper

_BURST_SECONDS: Final = {
    "address_calls_per_second": 2,
    "calls_per_second": 2,
    "guests_per_second": 20,
    "passwords_per_second": 60,
    "address_passwords_per_second": 60,
}
"""The limits of rates, by their settings: so many seconds' worth may come at once."""
_TALK_BURST: Final = 3


@dataclass(frozen=True, slots=True)
class Entrance:
    """What stands before the services."""

    concerns: tuple[Concern, ...]
    """What every call passes through, outermost first."""
    gate: Gate
    tokenless: TokenlessStreams
    talk: TalkLimits
    lines: CallLines
    passwords: Passwords


def build_entrance(
    settings: Settings,
    identities: Identities,
    metrics: Metrics,
    presences: Presences,
    bans: Bans,
    time: Timekeeper,
    spans: Spans | None,
) -> Entrance:
    """Put the limits together: those of addresses come first, then the services ask the gate.

    Where there are `spans`, each call has one, which times all of that.
    """
    addresses = Addresses(settings.trusted_networks)
    tokenless = TokenlessStreams(addresses, StreamCount(settings.tokenless_streams_per_address))
    lines = CallLines(LineSampler(settings.log_lines_per_second, monotonic))
    concerns = (
        *((CallTraces(spans),) if spans else ()),
        CallLogs(lines),
        CallMetrics(metrics.rpc),
        CallErrors(metrics.play),
        AddressLimit(addresses, _rate_limit("address_calls_per_second", settings, metrics)),
        tokenless,
        WellFormed(settings.message_max_bytes),
    )
    gate = Gate(
        identities,
        addresses,
        calls=_rate_limit("calls_per_second", settings, metrics),
        guests=_rate_limit("guests_per_second", settings, metrics),
        streams=StreamCount(settings.streams_per_player),
        presences=presences,
        bans=bans,
        now=time.now,
    )
    return Entrance(
        concerns,
        gate,
        tokenless,
        _talk_limits(settings, metrics),
        lines,
        Passwords(
            _rate_limit("passwords_per_second", settings, metrics),
            _rate_limit("address_passwords_per_second", settings, metrics),
            addresses,
        ),
    )


def _talk_limits(settings: Settings, metrics: Metrics) -> TalkLimits:
    buckets = TokenBuckets(1 / settings.talk_pause_seconds, _TALK_BURST, monotonic)
    return TalkLimits(
        RateLimit("talk_pause_seconds", buckets, metrics.play.rate_limited),
        settings.talk_text_characters,
        timedelta(seconds=settings.rematch_seconds),
    )


def _rate_limit(setting: str, settings: Settings, metrics: Metrics) -> RateLimit:
    rate: float = getattr(settings, setting)
    buckets = TokenBuckets(rate, max(1.0, rate * _BURST_SECONDS[setting]), monotonic)
    return RateLimit(setting, buckets, metrics.play.rate_limited)
