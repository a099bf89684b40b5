"""Metrics of the operator's own service."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from durak_server.observe.audit import Act


class OperatorMetrics:
    """What the operator did."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.players_banned = Gauge(
            "durak_players_banned", "Players who are kept out now.", registry=registry
        )
        self.acts = Counter(
            "durak_operator_acts",
            "Lines of the audit log since the start, by what was about to be done.",
            ("act",),
            registry=registry,
        )
        for act in Act:  # a rate needs the 0 before the first act
            self.acts.labels(act.name)
