"""Keys of passwords take threads: two at a time, whatever becomes of the calls."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import lobby_service_pb2 as pb
from tests.live_server import Calls, until


class CountingThreads(ThreadPoolExecutor):
    """Counts what was begun, and how much of it at most was under way at a time."""

    def __init__(self) -> None:
        super().__init__(max_workers=8)
        self.begun = 0
        self.at_once = 0
        self._under_way = 0

    def has_begun(self, number: int) -> bool:
        return self.begun >= number

    def submit(
        self,
        fn: Callable[..., Any],  # Any: whatever threads are asked for
        /,
        *args: Any,
        **kwargs: Any,
    ) -> Future[Any]:
        self.begun += 1
        self._under_way += 1
        self.at_once = max(self.at_once, self._under_way)
        asked = super().submit(fn, *args, **kwargs)
        asked.add_done_callback(self._note_end)
        return asked

    def _note_end(self, _: Future[Any]) -> None:
        self._under_way -= 1


async def test_who_gives_up_makes_no_room_for_another_key(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    threads = CountingThreads()
    asyncio.get_running_loop().set_default_executor(threads)
    request = pb.CreateMatchRequest(password="Кладезь-42")
    for number in range(1, 7):
        call = calls.lobby.CreateMatch(request, metadata=guest.metadata)
        await until(partial(threads.has_begun, number), guest)
        call.cancel()

    assert threads.at_once == 2
