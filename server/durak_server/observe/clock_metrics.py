"""Metrics of the players' clocks."""

from prometheus_client import CollectorRegistry, Counter, Histogram

from durak_server.observe.buckets import LATE


class ClockMetrics:
    """How well the server keeps the time."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.late_seconds = Histogram(
            "durak_clock_late_seconds",
            "How long after a player's time, the allowance for lag included, his turn was ended.",
            buckets=LATE,
            registry=registry,
        )
        self.turn_ends_failed = Counter(
            "durak_turn_ends_failed",
            "Times that a turn whose time was over could not be ended; it is tried again.",
            registry=registry,
        )
