"""A limit on how often somebody may call, and the answer to who calls more often."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from prometheus_client import Counter

from durak_server.api.failures import CallFailed
from durak_server.api.token_bucket import TokenBuckets
from durak_server.pb.durak.v1 import error_pb2 as pb

_LONGEST_WAIT_SECONDS: Final = 86_400.0
"""Nobody is told to wait longer: clients count a wait in milliseconds of 32 bits."""


class RateLimited(CallFailed):
    """Somebody has to wait: `key` is who, `wait_seconds` how long, at most a day."""

    def __init__(self, limit: str, key: str, wait_seconds: float) -> None:
        super().__init__(
            pb.ERROR_REASON_RATE_LIMITED,
            f"This comes faster than {limit} allows.",
            metadata={"limit": limit},
            retry_after_seconds=wait_seconds,
        )
        self.key = key
        self.wait_seconds = wait_seconds


@dataclass(slots=True)
class Reserved:
    """A call that was counted before it was done."""

    is_void: bool = False
    """Whether it did nothing, so that it does not count after all."""


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

    def admit(self, key: str) -> None:
        """Let somebody make a call.

        Raises:
            RateLimited: he has to wait.
        """
        self.refuse_too_fast(key)
        self._buckets.charge(key)

    @contextmanager
    def reserved(self, key: str) -> Iterator[Reserved]:
        """Count a call while it is done; it is given back if it fails, or turns out to be void.

        One that is cancelled stays counted: what it asked for may be done nevertheless.

        Raises:
            RateLimited: he has to wait.
        """
        self.admit(key)
        call = Reserved()
        try:
            yield call
        except Exception:
            call.is_void = True
            raise
        finally:
            if call.is_void:
                self._buckets.charge(key, -1)

    def refuse_too_fast(self, key: str) -> None:
        """Do nothing if somebody may make a call, which `charge` counts once it did something.

        Raises:
            RateLimited: he has to wait.
        """
        seconds = self._buckets.wait_seconds(key)
        if not seconds:
            return
        self._refusals.inc()
        raise RateLimited(self._name, key, min(seconds, _LONGEST_WAIT_SECONDS))

    def charge(self, key: str, calls: int = 1) -> None:
        """Count what was let in, as so many calls: what there is too little of is owed."""
        self._buckets.charge(key, calls)
