"""What the client draws at random: ids, so that a call can be repeated, and seeds."""

import secrets
import time
from uuid import UUID


def new_match_id() -> str:
    """Return a UUIDv7: its first 48 bits are the time in milliseconds, so that ids sort by age."""
    stamp = time.time_ns() // 1_000_000
    random_a, random_b = secrets.randbits(12), secrets.randbits(62)
    return str(UUID(int=stamp << 80 | 7 << 76 | random_a << 64 | 2 << 62 | random_b))


def new_request_id() -> str:
    """Return an id that no other call has."""
    return secrets.token_urlsafe(16)


def new_seed() -> bytes:
    """Return a player's own seed for a shuffle, which nobody can foresee."""
    return secrets.token_bytes(32)
