"""The public keys of an identity provider: read, kept, and read anew when one is missing."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import jwt

from durak_server.api.shown_keys import ShownKeys, shown_keys
from durak_server.observe.identity_metrics import IdentityMetrics
from durak_server.observe.logs import logger
from durak_server.runtime import Timekeeper

_log = logger(__name__)
_FETCH_SECONDS: Final = 5.0
_MOST_PLACES: Final = 10
_MOST_TRIED: Final = 4
"""More than a provider has while one key follows another; each costs up to 0.2 ms."""

ReadKeys: TypeAlias = Callable[[], Any]  # Any: whatever the JSON holds
"""Returns a JWK set (RFC 7517, 5), or whatever else is there; blocks, and may raise anything."""


class KeysMissing(Exception):
    """No set of keys could be read so far: nobody can say whether a token is good."""


class KeySet:
    """The last set that could be read.

    Args:
        read: reads it; called in a thread.
        cooldown: how long after one search for a missing key the next begins, at the least.
        time: the time to go by.
        metrics: where readings are counted.
    """

    def __init__(
        self,
        read: ReadKeys,
        cooldown: timedelta,
        time: Timekeeper,
        metrics: IdentityMetrics,
    ) -> None:
        self._read = read
        self._cooldown_seconds = cooldown.total_seconds()
        self._time = time
        self._metrics = metrics
        self.version = 0
        """How often the set has changed: what an earlier one proved may be proven no longer."""
        self._keys: tuple[jwt.PyJWK, ...] = ()
        self._skipped: tuple[int, ...] = ()
        self._reading: asyncio.Task[None] | None = None
        self._next_search = time.clock()

    def fitting(self, key_id: str | None, algorithm: str) -> Sequence[jwt.PyJWK]:
        """Return the key with an id; without an id the keys of the algorithm, four at the most."""
        if key_id is None:
            return [key for key in self._keys if key.algorithm_name == algorithm][:_MOST_TRIED]
        return [key for key in self._keys if key.key_id == key_id]

    async def search(self) -> None:
        """Look for a key that is missing in the set as it is now.

        That is not done in every call: whoever invents ids must not keep the provider busy.

        Raises:
            KeysMissing: no set could be read so far.
        """
        if self._may_read():
            await self.refresh()
        if not self._keys:
            raise KeysMissing

    async def refresh(self) -> None:
        """Read the set; if that fails, keep the last one and say so in the log."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._take(), name="identity keys")
        # Several may wait: one who is cancelled does not stop it.
        await asyncio.shield(self._reading)

    async def keep_fresh(self, every: timedelta) -> None:
        """Read the set again and again, for ever: a key that was withdrawn is not kept longer."""
        while True:
            await self._time.pass_by(every)
            await self.refresh()

    def _may_read(self) -> bool:
        """Tell whether a search may read the set, or wait for a reading that goes on."""
        if self._reading is None:
            now = self._time.clock()
            if now < self._next_search:
                return False
            self._next_search = now + self._cooldown_seconds
        return True

    async def _take(self) -> None:
        try:
            shown = await asyncio.to_thread(lambda: shown_keys(self._read()))
        except Exception as error:  # whatever is published there: the next reading must come
            self._metrics.key_read_failures.inc()
            _log.warning("the keys of the identity provider cannot be read", error=str(error))
            return
        finally:
            self._reading = None
        self._metrics.key_reads.inc()
        self._keep(shown)

    def _keep(self, shown: ShownKeys) -> None:
        self._metrics.keys_skipped.set(len(shown.skipped))
        if shown.skipped and shown.skipped != self._skipped:
            _log.warning(
                "keys of the identity provider are skipped",
                skipped=len(shown.skipped),
                places=shown.skipped[:_MOST_PLACES],
            )
        self._skipped = shown.skipped
        if _proofs(shown.usable) != _proofs(self._keys):
            self._keys = shown.usable
            self.version += 1
            _log.info("the keys of the identity provider are new", keys=len(self._keys))


def _proofs(keys: Sequence[jwt.PyJWK]) -> Sequence[object]:
    """Return what decides which signatures are good."""
    in_order = sorted(keys, key=lambda key: key.key_id or "")
    return [(key.key_id, key.algorithm_name, key.key) for key in in_order]


def keys_at(url: str) -> ReadKeys:
    """Return what fetches a set; redirects are not followed."""
    client = jwt.PyJWKClient(url, cache_jwk_set=False, timeout=_FETCH_SECONDS)
    return client.fetch_data


def keys_in(file: Path) -> ReadKeys:
    """Return what reads a set from a file."""
    return lambda: json.loads(file.read_bytes())
