"""A server under attack, and a match on it with which nobody has to do."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from durak_server.app import DurakServer
from durak_server.runtime import LiveMatch, Watcher
from durak_server.store.log_check import problems_of_match
from durak_server.store.read_only import reading
from tests.fake_time import FakeTime
from tests.fuzz.inventing import Inventor
from tests.fuzz.seen import Seen
from tests.live_server import Calls, Guest, connected, metric, server_at, started_match, until

_SETTINGS = {
    "store": "sqlite",
    "heartbeat_seconds": 0.01,
    "match_idle_seconds": 0,
    "matches_per_player": 12,
    "streams_per_player": 50,
    "talk_pause_seconds": 0.01,
    "passwords_per_second": 1_000,
    "address_passwords_per_second": 1_000,
}
UNTOUCHED = "untouched"


@dataclass
class Besieged:
    """The server, who attacks it, and what they have seen."""

    server: DurakServer
    time: FakeTime
    calls: Calls
    bystanders: list[Guest]
    seen: Seen
    attackers: list[Guest] = field(default_factory=list)
    lengths: dict[str, int] = field(default_factory=dict)
    """How long the log of each match was when it was last looked at."""

    def attacker(self, dice: Random) -> Guest:
        """Return any of them."""
        return dice.choice(self.attackers)

    def inventor(self, dice: Random) -> Inventor:
        """Return who makes their requests."""
        return Inventor(dice, self.seen)

    async def check(self) -> None:
        """Check what holds between any two calls."""
        await self._check_that_logs_only_grow()
        await until(lambda: metric(self.server, "durak_streams") == 0, self.bystanders[0])

    async def picture(self) -> list[bytes]:
        """Return what the bystanders see of their match."""
        views = [await guest.view(UNTOUCHED) for guest in self.bystanders]
        return [view.SerializeToString(deterministic=True) for view in views]

    async def _check_that_logs_only_grow(self) -> None:
        for match_id in self.seen.texts("match_id"):
            records = await self.server.store.read(match_id)
            assert [record.sequence for record in records] == list(range(1, len(records) + 1))
            assert len(records) >= self.lengths.get(match_id, 0), match_id
            self.lengths[match_id] = len(records)


@asynccontextmanager
async def besieged(data: Path) -> AsyncIterator[Besieged]:
    """Serve until the end of the block; then nothing may be left of it but sound logs."""
    time = FakeTime()
    async with server_at(time.keeper, data=data, **_SETTINGS) as server, connected(server) as calls:
        bystanders = await calls.guests(2)
        await started_match(2, bystanders, match_id=UNTOUCHED)
        seen = Seen(frozenset({UNTOUCHED, *(guest.player_id for guest in bystanders)}))
        besieged = Besieged(server, time, calls, bystanders, seen)
        before = await besieged.picture()
        yield besieged
        assert await besieged.picture() == before
    del server, besieged
    assert problems_in(data) == {}
    assert leftovers() == []


def problems_in(data: Path) -> dict[str, list[str]]:
    """Return what is wrong with the logs that a server has left."""
    with reading(data / "durak.sqlite") as store:
        found = {match_id: problems_of_match(store, match_id) for match_id in store.match_ids()}
    return {match_id: problems for match_id, problems in found.items() if problems}


def leftovers() -> list[object]:
    """Return the matches and watchers that anything still refers to."""
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, LiveMatch | Watcher)]
