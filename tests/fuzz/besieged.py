"""A server under attack, and a match on it with which nobody has to do."""

import asyncio
import gc
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from prometheus_client import generate_latest

from durak_server.app import DurakServer
from durak_server.runtime import LiveMatch, Watcher
from durak_server.store.log_check import problems_of_match
from durak_server.store.read_only import reading
from tests.api.taps import cards_named
from tests.debug_lines import debug_lines
from tests.fake_time import FakeTime
from tests.fuzz.inventing import PASSWORDS, Inventor
from tests.fuzz.seen import Seen
from tests.live_server import Calls, Guest, connected, metric, server_at, started_match, until

_SETTINGS = {
    "store": "sqlite",
    "heartbeat_seconds": 0.01,
    "match_idle_seconds": 0,
    "matches_per_player": 12,
    "streams_per_player": 50,
    "talk_pause_seconds": 0.01,
    "table_pause_seconds": 0.01,
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


@contextmanager
def overheard(secrets: set[str]) -> Iterator[io.StringIO]:
    """Collect what is logged, and more; at the end there may be no secret in it, and no card."""
    with debug_lines() as lines:
        yield lines
    text = lines.getvalue()
    assert [secret for secret in secrets if secret in text] == []
    assert cards_named(text) == set()


@asynccontextmanager
async def besieged(data: Path) -> AsyncIterator[Besieged]:
    """Serve until the end of the block; then nothing may be left of it but sound logs."""
    time, secrets = FakeTime(), set(PASSWORDS)
    # A failure keeps what it happened to alive; it shall not be found again in the next siege.
    known = {id(thing) for thing in leftovers()}
    async with AsyncExitStack() as stack:
        stack.enter_context(overheard(secrets))
        server = await stack.enter_async_context(server_at(time.keeper, data=data, **_SETTINGS))
        calls = await stack.enter_async_context(connected(server))
        bystanders = await calls.guests(2)
        await started_match(2, bystanders, match_id=UNTOUCHED)
        seen = Seen(frozenset({UNTOUCHED, *(guest.player_id for guest in bystanders)}))
        besieged = Besieged(server, time, calls, bystanders, seen)
        before = await besieged.picture()
        yield besieged
        assert await besieged.picture() == before
        secrets |= {guest.token for guest in (*bystanders, *besieged.attackers)}
        secrets |= set(seen.texts("invite_code"))
        page = generate_latest(server.metrics.registry).decode()
        ids = {UNTOUCHED, *seen.texts("match_id"), *seen.texts("player_id")}
        # A match may have a name of one letter.
        assert [name for name in ids | secrets if len(name) > 8 and name in page] == []
    del server, besieged
    assert problems_in(data) == {}
    await _all_gone(known)


def problems_in(data: Path) -> dict[str, list[str]]:
    """Return what is wrong with the logs that a server has left."""
    with reading(data / "durak.sqlite") as store:
        found = {match_id: problems_of_match(store, match_id) for match_id in store.match_ids()}
    return {match_id: problems for match_id, problems in found.items() if problems}


async def _all_gone(known: set[int]) -> None:
    """Give what is on its way out some turns of the loop to go."""
    for _ in range(100):
        if all(id(thing) in known for thing in leftovers()):
            return
        await asyncio.sleep(0)
    raise AssertionError([_holders(thing) for thing in leftovers()])


def leftovers() -> list[object]:
    """Return the matches and watchers that anything still refers to."""
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, LiveMatch | Watcher)]


def _holders(thing: object) -> tuple[str, list[str]]:
    """Name a thing, and what refers to it."""
    return repr(thing), [repr(holder)[:200] for holder in gc.get_referrers(thing)]
