"""Bringing a match into memory."""

import asyncio
import threading
from collections.abc import Iterable, Iterator

from durak_server.matches import CreateMatch, Record
from durak_server.rules import Preset, preset
from durak_server.store import MemoryStore
from tests.runtime.faulty_stores import SlowStore
from tests.runtime.tables import create, done, join, live_matches, next_move

EVENTS = 1_500


class HeldLog(list[Record]):
    """A log that cannot be gone through before others have had their turn."""

    def __init__(self, records: Iterable[Record], is_others_turn: threading.Event) -> None:
        super().__init__(records)
        self._is_others_turn = is_others_turn

    def __iter__(self) -> Iterator[Record]:
        assert self._is_others_turn.wait(10), "all others wait while a long log is gone through"
        return super().__iter__()


class HoldingStore(MemoryStore):
    """Gives logs that are held."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    async def read(self, match_id: str, after: int = 0) -> list[Record]:
        return HeldLog(await super().read(match_id, after), self.go_on)


async def test_others_do_not_wait_while_a_long_log_is_loaded() -> None:
    store = HoldingStore()
    store.go_on.set()
    rules = preset(Preset.PODKIDNOY, seats=2, deals=0)
    create = CreateMatch("a", "", "A", "m", "CODE", Preset.PODKIDNOY, rules, start_when_full=True)
    async with live_matches(store) as live:
        await live.submit("m", create)
        match = done(await live.submit("m", join("b"))).match
        while match.sequence < EVENTS:
            match = done(await live.submit("m", next_move(match))).match
    async with live_matches(store) as live:
        store.go_on.clear()
        loading = asyncio.create_task(live.find("m"))
        for _ in range(50):
            await asyncio.sleep(0)
        assert not loading.done()
        store.go_on.set()
        assert (await loading).match == match


async def test_what_is_credited_to_many_matches_at_a_start_is_stored_together() -> None:
    store, names = SlowStore(), ("m", "n", "o")
    async with live_matches(store) as live:
        for name in names:
            await live.submit(name, create(name, turn_seconds=30))
            await live.submit(name, join("b"))
    async with live_matches(store) as live:
        store.gate.clear()
        waking = asyncio.create_task(live.wake(names))
        while store.waiting < len(names):
            store.reached.clear()
            await store.reached.wait()
        store.gate.set()
        await waking
        assert len(live) == len(names)
