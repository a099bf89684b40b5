"""Who is banned, known without asking the store."""

from collections.abc import Sequence

from durak_server.runtime.timekeeper import Timekeeper
from durak_server.store import Ban, EventStore, OutcomeUnknown, StoreUnavailable


class Bans:
    """All bans, in memory as in the store. Get them by `load`."""

    def __init__(self, store: EventStore, bans: Sequence[Ban], time: Timekeeper) -> None:
        self._store = store
        self._time = time
        self._bans = {ban.player_id: ban for ban in bans}

    @classmethod
    async def load(cls, store: EventStore, time: Timekeeper) -> "Bans":
        """Return the bans of a store.

        Raises:
            StoreError: they cannot be read.
        """
        return cls(store, await store.bans(), time)

    def find(self, player_id: str) -> Ban | None:
        """Return the ban that keeps a player out now, or None."""
        ban = self._bans.get(player_id)
        is_over = ban and ban.until and ban.until <= self._time.now()
        return None if is_over else ban

    def in_force(self) -> list[Ban]:
        """Return those that keep somebody out now, in the order of the players' ids."""
        return [ban for player_id in sorted(self._bans) if (ban := self.find(player_id))]

    def number_in_force(self) -> int:
        """Return how many players are kept out now; any thread may ask."""
        return sum(self.find(player_id) is not None for player_id in list(self._bans))

    async def put(self, ban: Ban) -> None:
        """Ban a player; a ban that he has is replaced.

        Raises:
            StoreError: it could not be stored, or nobody knows whether it was; then it counts from
                the next start, if at all.
        """
        await self._keep(ban.player_id, ban)
        self._bans[ban.player_id] = ban

    async def lift(self, player_id: str) -> bool:
        """Let a player in again; tell whether he was banned.

        Raises:
            StoreError: as `put`.
        """
        was_banned = self.find(player_id) is not None
        await self._keep(player_id, None)
        self._bans.pop(player_id, None)
        return was_banned

    async def _keep(self, player_id: str, ban: Ban | None) -> None:
        try:
            await self._store.set_ban(player_id, ban)
        except OutcomeUnknown:
            kept = {one.player_id: one for one in await self._store.bans()}
            if kept.get(player_id) != ban:
                raise StoreUnavailable("the ban was not stored") from None
