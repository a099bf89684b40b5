"""Plays many short-lived matches in one server, and measures what they leave behind."""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from weakref import WeakSet

from durak_server.app import DurakServer
from durak_server.bots.policy import choose_random
from durak_server.matches import (
    AddBot,
    CreateMatch,
    MakeMove,
    MatchRefusal,
)
from durak_server.rules import Preset, preset
from durak_server.runtime import LiveMatch, Watcher
from tests.live_server import running_server

AT_ONCE = 32
GRACE_SECONDS = 20
"""As by default: for so long a server remembers who played, so that he can be called away."""
_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """What the process holds after `matches` matches, none of which is being played."""

    matches: int
    events: int
    memory_kib: int
    """Resident."""
    objects: int
    """Known to the garbage collector."""
    blocks: int
    """Of memory that Python has handed out, for objects of every kind."""
    tasks: int
    descriptors: int
    live: int
    """Matches and watchers that anything still refers to."""
    finished: int
    """Matches that the store knows to be over."""
    stored_bytes: int


class Lifetimes:
    """Matches from their making to their end, in one server."""

    def __init__(self, server: DurakServer, data: Path, seed: int) -> None:
        self._server = server
        self._data = data
        self._dice = Random(seed)
        self._played = 0
        self._events = 0
        self._seen: WeakSet[LiveMatch | Watcher] = WeakSet()

    async def play(self, matches: int) -> Reading:
        """Play so many more, some at the same time, and measure once all are over."""
        numbers = iter(range(self._played, self._played + matches))
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._play_each(numbers))
        self._played += matches
        return await self._reading()

    async def _play_each(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self._play(f"match-{number}", f"player-{number}")

    async def _play(self, match_id: str, player_id: str) -> None:
        """Play a match between a player and a house bot, followed from its first event on."""
        await self._submit(match_id, _create(match_id, player_id))
        await self._submit(match_id, AddBot(player_id, "bot", f"bot of {match_id}", "Bot"))
        live = await self._server.live.find(match_id)
        self._seen.add(live)
        with live.watch(0, "") as watcher:
            self._seen.add(watcher)
            while not live.match.status.is_over:
                watcher.advance()
                table = live.view(0).table
                if table and table.legal_moves:
                    move = choose_random(table, self._dice)
                    await live.submit(MakeMove(player_id, f"{live.match.sequence}", move))
                else:
                    await watcher.wait(seconds=60)
        self._events += live.match.sequence

    async def _submit(self, match_id: str, command: CreateMatch | AddBot) -> None:
        answer = await self._server.live.submit(match_id, command)
        assert not isinstance(answer, MatchRefusal), answer

    async def _reading(self) -> Reading:
        self._server.live.let_idle_go()
        counts = await self._server.store.counts()  # meanwhile their tasks end
        gc.collect()
        return Reading(
            matches=self._played,
            events=self._events,
            memory_kib=_resident_kib(),
            objects=len(gc.get_objects()),
            blocks=sys.getallocatedblocks(),
            tasks=len(asyncio.all_tasks()),
            descriptors=_open_files(),
            live=len(self._seen),
            finished=sum(n for (status, _), n in counts.items() if status.is_over),
            stored_bytes=sum(file.stat().st_size for file in self._data.glob("durak.sqlite*")),
        )


async def readings(data: Path, steps: int, matches: int) -> AsyncGenerator[Reading, None]:
    """Play `steps` times `matches` in one server on a file, and measure after each step."""
    settings = {"match_idle_seconds": 0, "presence_grace_seconds": GRACE_SECONDS}
    async with running_server(store="sqlite", data=data, **settings) as server:
        lifetimes = Lifetimes(server, data, seed=1)
        for _ in range(steps):
            yield await lifetimes.play(matches)


def _create(match_id: str, player_id: str) -> CreateMatch:
    return CreateMatch(
        player_id,
        "make",
        "Vasya",
        match_id,
        match_id,
        Preset.PODKIDNOY,
        preset(Preset.PODKIDNOY, seats=2),
        start_when_full=True,
    )


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _resident_kib() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * _PAGE_KIB
