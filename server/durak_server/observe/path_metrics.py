"""Metrics of the way that a command takes through the server."""

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from durak_server.observe.buckets import CALLS, COUNTS, SHORT


class PathMetrics:
    """The way of a command: decided, stored, delivered."""

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.decide_seconds = histogram(
            "durak_decide_seconds", "Time to decide what a command causes.", buckets=SHORT
        )
        self.store_seconds = histogram(
            "durak_store_seconds",
            "Time to store what a command caused, waiting included.",
            buckets=CALLS,
        )
        self.play_command_seconds = histogram(
            "durak_play_command_seconds",
            "Time to answer a command of Play once its turn has come: MOVE, SAY, FOLLOW, UNFOLLOW.",
            ("kind",),
            buckets=CALLS,
        )
        self.play_answers = counter(
            "durak_play_answers", "Commands of Play answered, by status code.", ("grpc_code",)
        )
        self.deliver_seconds = histogram(
            "durak_deliver_seconds",
            "Time from stored to handed to one stream's transport.",
            buckets=CALLS,
        )
        self.append_events = histogram(
            "durak_append_events", "Events in one append.", buckets=COUNTS
        )
        self.store_batch_appends = histogram(
            "durak_store_batch_appends",
            "Appends that the store committed together.",
            buckets=COUNTS,
        )
        self.store_queue = Gauge(
            "durak_store_queue", "Appends waiting for the store.", registry=registry
        )
        self.conflicts = counter("durak_store_conflicts", "Appends refused: the log had moved on.")
        self.unknown_outcomes = counter(
            "durak_store_unknown_outcomes", "Appends that may or may not be stored."
        )
        self.logs_cut = counter(
            "durak_store_logs_cut",
            "Logs found shorter than what was acknowledged. Must stay 0.",
        )
