"""Metrics of what the limits refuse."""

from prometheus_client import CollectorRegistry, Counter


class LimitMetrics:
    """Calls and streams refused because there were too many."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.limited = Counter(
            "durak_limited", "Calls refused by a limit, by reason.", ("reason",), registry=registry
        )
        self.rate_limited = Counter(
            "durak_rate_limited",
            "Calls refused because they came too fast, by limit.",
            ("limit",),
            registry=registry,
        )
        self.streams_refused = Counter(
            "durak_streams_refused",
            "Streams and open calls refused because there were as many, by limit.",
            ("limit",),
            registry=registry,
        )
