"""Buckets as limits use them: look first, then charge."""

from durak_server.api import TokenBuckets


def take(buckets: TokenBuckets, key: str) -> float:
    """Take a call out and return 0, or return the seconds until there will be one."""
    seconds = buckets.wait_seconds(key)
    if not seconds:
        buckets.charge(key)
    return seconds
