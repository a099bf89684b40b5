"""How calls come in: what each passes through on its way to a service, as the settings want it."""

from collections.abc import Mapping
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
    HeldRefusals,
    HiddenMatches,
    Identities,
    MatchesMade,
    OneRequest,
    OpenCalls,
    Passwords,
    Rate,
    RateLimit,
    Readings,
    StreamCount,
    StreamPlaces,
    TablePace,
    TalkLimits,
    TokenBuckets,
    TokenlessStreams,
    UntilOver,
    WatchingStreams,
    WellFormed,
    burst_of,
)
from durak_server.config import Settings
from durak_server.observe.metrics import Metrics
from durak_server.observe.sampling import LineSampler
from durak_server.observe.spans import Spans
from durak_server.runtime import Bans, Presences, Surroundings

_BURST_SECONDS: Final = {
    "address_calls_per_second": 2,
    "calls_per_second": 2,
    "guests_per_second": 20,
    "matches_made_per_second": 50,
    "passwords_per_second": 60,
    "address_passwords_per_second": 60,
}
"""The limits of rates, by their settings: so many seconds' worth may come at once."""
_STREAM_LIMITS: Final = (
    "streams_per_player",
    "streams_per_address",
    "tokenless_streams_per_address",
    "watching_streams_per_address",
)
"""The limits of open streams, by their settings."""
_OPEN_CALLS: Final = "open_calls_per_address"
_FOLLOWS: Final = "matches followed on Play streams"
_TALK_BURST: Final = 3
_TABLE_BURST: Final = 20


@dataclass(frozen=True, slots=True)
class Entrance:
    """What stands before the services."""

    concerns: tuple[Concern, ...]
    """What every call of players passes through, outermost first."""
    operator_concerns: tuple[Concern, ...]
    """The same for the operator, whom no rate keeps from acting on what they do."""
    gate: Gate
    addresses: AddressLimit
    tokenless: TokenlessStreams
    readings: Readings
    rates: Mapping[str, Rate]
    talk: TalkLimits
    lines: CallLines
    held: HeldRefusals
    hidden: HiddenMatches
    passwords: Passwords
    watching: WatchingStreams
    follows: StreamCount
    table_pace: TablePace
    made: MatchesMade


def build_entrance(
    settings: Settings,
    identities: Identities,
    presences: Presences,
    bans: Bans,
    around: Surroundings,
    spans: Spans | None,
) -> Entrance:
    """Put the limits together: those of addresses come first, then the services ask the gate.

    Where there are `spans`, each call has one, which times all of that.
    """
    metrics, time = around.metrics, around.time
    rates = {name: _rate(name, settings) for name in _BURST_SECONDS}
    limits = {
        name: RateLimit(name, rate.buckets, metrics.limits.rate_limited)
        for name, rate in rates.items()
    }
    streams = {name: StreamCount(name, getattr(settings, name)) for name in _STREAM_LIMITS}
    addresses = Addresses(settings.trusted_networks)
    gate = Gate(
        identities,
        addresses,
        calls=limits["calls_per_second"],
        guests=limits["guests_per_second"],
        streams=StreamPlaces(
            streams["streams_per_player"], streams["streams_per_address"], addresses
        ),
        presences=presences,
        bans=bans,
        now=time.now,
    )
    limited = AddressLimit(addresses, limits["address_calls_per_second"])
    open_calls = OpenCalls(
        addresses, StreamCount(_OPEN_CALLS, settings.open_calls_per_address, "calls open")
    )
    tokenless = TokenlessStreams(addresses, streams["tokenless_streams_per_address"])
    lines = CallLines(LineSampler(settings.log_lines_per_second, monotonic))
    held = HeldRefusals(timedelta(seconds=settings.refusal_hold_seconds), time)
    hidden = HiddenMatches(around.store)
    outer: tuple[Concern, ...] = (
        *((CallTraces(spans),) if spans else ()),
        CallLogs(lines),
        CallMetrics(metrics.rpc),
        UntilOver(),
        CallErrors(metrics.limits, held, hidden),
    )
    inner = (
        OneRequest(settings.request_seconds),
        tokenless,
        WellFormed(settings.message_max_bytes),
    )
    return Entrance(
        concerns=(*outer, open_calls, limited, *inner),
        operator_concerns=(*outer, *inner),
        gate=gate,
        addresses=limited,
        tokenless=tokenless,
        readings=Readings(gate, limited),
        rates=rates,
        talk=_talk_limits(settings, metrics),
        lines=lines,
        held=held,
        hidden=hidden,
        passwords=Passwords(
            limits["passwords_per_second"], limits["address_passwords_per_second"], addresses
        ),
        watching=WatchingStreams(addresses, streams["watching_streams_per_address"]),
        follows=StreamCount("follows_per_player", settings.follows_per_player, _FOLLOWS),
        table_pace=TablePace(_paced("table_pause_seconds", _TABLE_BURST, settings, metrics)),
        made=MatchesMade(addresses, limits["matches_made_per_second"]),
    )


def _talk_limits(settings: Settings, metrics: Metrics) -> TalkLimits:
    return TalkLimits(
        _paced("talk_pause_seconds", _TALK_BURST, settings, metrics),
        settings.talk_text_characters,
        timedelta(seconds=settings.rematch_seconds),
    )


def _paced(name: str, burst: float, settings: Settings, metrics: Metrics) -> RateLimit:
    pause_seconds: float = getattr(settings, name)
    buckets = TokenBuckets(1 / pause_seconds, burst, monotonic)
    return RateLimit(name, buckets, metrics.limits.rate_limited)


def _rate(name: str, settings: Settings) -> Rate:
    per_second: float = getattr(settings, name)
    burst_seconds = _BURST_SECONDS[name]
    buckets = TokenBuckets(per_second, burst_of(per_second, burst_seconds), monotonic)
    return Rate(buckets, burst_seconds, per_second)
