"""A limit on how often somebody may call, and the answer to who calls more often."""

from prometheus_client import Counter

from durak_server.api.failures import CallFailed
from durak_server.api.token_bucket import TokenBuckets
from durak_server.pb.durak.v1 import error_pb2 as pb


class RateLimit:
    """One limit.

    Args:
        name: that of its setting; told to those refused, and the label of their count.
        buckets: how much of it each caller has left.
        refusals: where those refused are counted, by `limit`.
    """

    def __init__(self, name: str, buckets: TokenBuckets, refusals: Counter) -> None:
        self._name = name
        self._buckets = buckets
        self._refusals = refusals.labels(name)

    def admit(self, key: str, calls: int = 1) -> None:
        """Let somebody make so many calls, together.

        Raises:
            CallFailed: he has to wait.
        """
        seconds = self._buckets.take(key, calls)
        if not seconds:
            return
        self._refusals.inc()
        raise CallFailed(
            pb.ERROR_REASON_RATE_LIMITED,
            "Calls come faster than allowed.",
            metadata={"limit": self._name},
            retry_after_seconds=seconds,
        )
