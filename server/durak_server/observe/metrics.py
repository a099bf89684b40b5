"""Every metric of the server, gathered in one place.

Base units, and no label whose values a caller could invent: never a match, a player or an
unknown method. RPC metrics are named as go-grpc-prometheus names them, so that existing boards fit.
"""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from durak_server.observe.buckets import CALLS, HUMAN
from durak_server.observe.clock_metrics import ClockMetrics
from durak_server.observe.identity_metrics import IdentityMetrics
from durak_server.observe.limit_metrics import LimitMetrics
from durak_server.observe.operator_metrics import OperatorMetrics
from durak_server.observe.path_metrics import PathMetrics

UNKNOWN: Final = "unknown"
"""The label of everything that this server does not know."""

_RPC: Final = ("grpc_type", "grpc_service", "grpc_method")
_STORE_FAILURES: Final = ("StoreBusy", "StoreUnavailable", "StoreCorrupt")


class RpcMetrics:
    """Calls, as the gRPC ecosystem counts them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.started = Counter("grpc_server_started", "Calls begun.", _RPC, registry=registry)
        self.handled = Counter(
            "grpc_server_handled",
            "Calls completed, by status code.",
            (*_RPC, "grpc_code"),
            registry=registry,
        )
        self.handling_seconds = Histogram(
            "grpc_server_handling_seconds",
            "Time from the start to the end of a unary call that no limit refused.",
            _RPC,
            buckets=CALLS,
            registry=registry,
        )
        self.messages_received = Counter(
            "grpc_server_msg_received", "Messages received.", _RPC, registry=registry
        )
        self.messages_sent = Counter(
            "grpc_server_msg_sent", "Messages sent.", _RPC, registry=registry
        )


class PlayMetrics:
    """What the players and house bots do."""

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        self.matches = Gauge(
            "durak_matches",
            "Matches in the store, by status and preset.",
            ("status", "preset"),
            registry=registry,
        )
        self.moves_accepted = counter("durak_moves_accepted", "Moves made, by kind.", ("kind",))
        self.commands_refused = counter(
            "durak_commands_refused",
            "Moves and other commands refused by a match, by reason.",
            ("command", "reason"),
        )
        self.deals_finished = counter(
            "durak_deals_finished",
            "Deals played to their end, by preset and by how they ended.",
            ("preset", "reason"),
        )
        self.said = counter(
            "durak_said",
            "Things said at tables, by kind: TEXT, PHRASE, REACTION.",
            ("kind",),
        )
        self.players_left = counter("durak_players_left", "Players who left a match being played.")
        self.rematches = counter(
            "durak_rematches",
            "Rematches, by kind: OFFERED for each player who wants one, MADE.",
            ("kind",),
        )
        self.clocks_run_out = counter(
            "durak_clocks_run_out", "Turns that ended because the time was over."
        )
        self.matches_expired = counter(
            "durak_matches_expired",
            "Matches abandoned because no human acted in them, by what they were: OPEN, PLAYING.",
            ("status",),
        )
        self.guests_created = counter("durak_guests_created", "Guest identities made.")
        self.bot_thinking_seconds = Histogram(
            "durak_bot_thinking_seconds",
            "Time a house bot took for a move, its human-like delay included.",
            ("level",),
            buckets=HUMAN,
            registry=registry,
        )


class StoreMetrics:
    """Whether the store stores."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.up = Gauge(
            "durak_store_up", "1 if the store answered when last asked, else 0.", registry=registry
        )
        self.flush_seconds = Histogram(
            "durak_store_flush_seconds",
            "Time of one transaction of the store, from its first write to the disk's answer.",
            buckets=CALLS,
            registry=registry,
        )
        self.failures = Counter(
            "durak_store_failures",
            "Appends that the store did not take, by what was wrong.",
            ("reason",),
            registry=registry,
        )
        for reason in _STORE_FAILURES:  # a rate needs the 0 before the first failure
            self.failures.labels(reason)


class DataFolder(Collector):
    """How much the data takes, and how much more there is room for; looked up at each scrape."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics; none if the folder cannot be read."""
        try:
            used = sum(file.stat().st_size for file in self._folder.iterdir())
            disk = os.statvfs(self._folder)
        except OSError:
            return
        yield GaugeMetricFamily("durak_data_bytes", "Size of the files in the data folder.", used)
        yield GaugeMetricFamily(
            "durak_data_disk_free_bytes",
            "Room left for this server on the disk of the data folder.",
            disk.f_bavail * disk.f_frsize,
        )
        yield GaugeMetricFamily(
            "durak_data_disk_bytes",
            "Size of the disk of the data folder.",
            disk.f_blocks * disk.f_frsize,
        )


class ProcessMetrics:
    """The server itself."""

    def __init__(self, registry: CollectorRegistry, version: str) -> None:
        self.live_matches = Gauge(
            "durak_live_matches", "Matches held in memory.", registry=registry
        )
        self.loads = Counter(
            "durak_match_loads", "Matches read from the store into memory.", registry=registry
        )
        self.streams = Gauge("durak_streams", "Event streams open.", registry=registry)
        self.lobby_streams = Gauge(
            "durak_lobby_streams", "Streams open to the lobby.", registry=registry
        )
        self.watchers_dropped = Counter(
            "durak_watchers_dropped",
            "Event streams ended because their reader was too slow.",
            registry=registry,
        )
        self.loop_lag_seconds = Histogram(
            "durak_event_loop_lag_seconds",
            "How much later than asked for the event loop came round.",
            buckets=CALLS,
            registry=registry,
        )
        self.draining = Gauge(
            "durak_draining",
            "1 since the server takes no new matches, to shut down.",
            registry=registry,
        )
        self.build = Gauge(
            "durak_build_info", "Always 1; the labels tell.", ("version",), registry=registry
        )
        self.build.labels(version).set(1)


class Metrics:
    """All metrics of one server, in a registry of its own."""

    def __init__(self, version: str) -> None:
        # A second series a counter that tells when it was made: twice the series, and no use.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library has no types here
        self.registry = CollectorRegistry()
        self.rpc = RpcMetrics(self.registry)
        self.play = PlayMetrics(self.registry)
        self.clocks = ClockMetrics(self.registry)
        self.limits = LimitMetrics(self.registry)
        self.path = PathMetrics(self.registry)
        self.store = StoreMetrics(self.registry)
        self.identity = IdentityMetrics(self.registry)
        self.operator = OperatorMetrics(self.registry)
        self.process = ProcessMetrics(self.registry, version)

    def add_process_collectors(self) -> None:
        """Add the standard metrics of a Python process: memory, CPU, open files, collections."""
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def add_data_folder(self, folder: Path) -> None:
        """Add the size of a store's files, and of their disk."""
        self.registry.register(DataFolder(folder))

    def set_matches(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Set the number of matches by (status, preset)."""
        self.play.matches.clear()
        for labels, number in counts.items():
            self.play.matches.labels(*labels).set(number)
