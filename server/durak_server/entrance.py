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
from durak_server.observe.metrics import Metrics, RpcMetrics
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
_STREAMS: Final = "streams open"
_COUNTED: Final = {
    "streams_per_player": _STREAMS,
    "streams_per_address": _STREAMS,
    "tokenless_streams_per_address": _STREAMS,
    "watching_streams_per_address": _STREAMS,
    "open_calls_per_address": "calls open",
    "follows_per_player": "matches followed on Play streams",
}
"""The limits of what is open, by their settings, and what they count."""
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


@dataclass(frozen=True, slots=True)
class _Limits:
    """Who may do how much, by the settings that say so."""

    addresses: Addresses
    """Tell whose address a call comes from."""
    rates: Mapping[str, Rate]
    calls: Mapping[str, RateLimit]
    """Refuse what comes faster than the rates."""
    places: Mapping[str, StreamCount]
    """Refuse what is open beyond the limits in `_COUNTED`."""


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
    metrics, limits = around.metrics, _limits(settings, around.metrics)
    gate = _gate(limits, identities, presences, bans, around)
    addresses = AddressLimit(limits.addresses, limits.calls["address_calls_per_second"])
    tokenless = TokenlessStreams(limits.addresses, limits.places["tokenless_streams_per_address"])
    open_calls = OpenCalls(limits.addresses, limits.places["open_calls_per_address"])
    lines = CallLines(LineSampler(settings.log_lines_per_second, monotonic))
    held = HeldRefusals(timedelta(seconds=settings.refusal_hold_seconds), around.time)
    hidden = HiddenMatches(around.store)
    outer = _outer(spans, lines, metrics.rpc, CallErrors(metrics.limits, held, hidden))
    inner = _inner(settings, tokenless)
    return Entrance(
        concerns=(*outer, open_calls, addresses, *inner),
        operator_concerns=(*outer, *inner),
        gate=gate,
        addresses=addresses,
        tokenless=tokenless,
        readings=Readings(gate, addresses),
        rates=limits.rates,
        talk=_talk_limits(settings, metrics),
        lines=lines,
        held=held,
        hidden=hidden,
        passwords=_passwords(limits),
        watching=WatchingStreams(limits.addresses, limits.places["watching_streams_per_address"]),
        follows=limits.places["follows_per_player"],
        table_pace=TablePace(_paced("table_pause_seconds", _TABLE_BURST, settings, metrics)),
        made=MatchesMade(limits.addresses, limits.calls["matches_made_per_second"]),
    )


def _limits(settings: Settings, metrics: Metrics) -> _Limits:
    rates = {name: _rate(name, settings) for name in _BURST_SECONDS}
    return _Limits(
        addresses=Addresses(settings.trusted_networks),
        rates=rates,
        calls={
            name: RateLimit(name, rate.buckets, metrics.limits.rate_limited)
            for name, rate in rates.items()
        },
        places={
            name: StreamCount(name, getattr(settings, name), what)
            for name, what in _COUNTED.items()
        },
    )


def _gate(
    limits: _Limits,
    identities: Identities,
    presences: Presences,
    bans: Bans,
    around: Surroundings,
) -> Gate:
    places = limits.places
    return Gate(
        identities,
        limits.addresses,
        calls=limits.calls["calls_per_second"],
        guests=limits.calls["guests_per_second"],
        streams=StreamPlaces(
            places["streams_per_player"], places["streams_per_address"], limits.addresses
        ),
        presences=presences,
        bans=bans,
        now=around.time.now,
    )


def _outer(
    spans: Spans | None, lines: CallLines, metrics: RpcMetrics, errors: CallErrors
) -> tuple[Concern, ...]:
    """Return what sees how every call ends, those that a limit refuses included."""
    traces = (CallTraces(spans),) if spans else ()
    return (*traces, CallLogs(lines), CallMetrics(metrics), UntilOver(), errors)


def _inner(settings: Settings, tokenless: TokenlessStreams) -> tuple[Concern, ...]:
    """Return what a call meets that no limit of addresses refused."""
    well_formed = WellFormed(settings.message_max_bytes)
    return (OneRequest(settings.request_seconds), tokenless, well_formed)


def _passwords(limits: _Limits) -> Passwords:
    return Passwords(
        limits.calls["passwords_per_second"],
        limits.calls["address_passwords_per_second"],
        limits.addresses,
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
