"""A full disk as an operator meets it: what goes on, what is refused, and how it passes."""

import asyncio
import re
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2

from tests.api.tokenless import check_health
from tests.crash.failing_disk import FailingDisk
from tests.crash.history import History, faults
from tests.crash.recorded_play import Progress, play_recorded
from tests.crash.stored_logs import stored_logs
from tests.live_server import Calls, Guest, failure_of, first_move, started_match
from tests.server_process import ServerEnded, ServerProcess

SETTINGS = {"DURAK_METRICS_LISTEN": "127.0.0.1:0", "DURAK_HEARTBEAT_SECONDS": "0.05"}

FAILURES = r'^durak_store_failures_total\{reason="StoreUnavailable"\} (\S+)$'


@dataclass(frozen=True, slots=True)
class Place:
    """A server, and the file whose presence makes its disk full."""

    server: ServerProcess
    full: Path

    async def page(self, path: str) -> tuple[int, str]:
        """Get a status page."""

        def get() -> tuple[int, str]:
            url = f"http://127.0.0.1:{self.server.metrics_port}{path}"
            with urllib.request.urlopen(url) as answer:
                return answer.status, answer.read().decode()

        return await asyncio.to_thread(get)

    async def failures(self) -> float:
        """How many appends the store did not take."""
        _, metrics = await self.page("/metrics")
        (found,) = re.findall(FAILURES, metrics, re.MULTILINE)
        return float(found)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A server on a disk that has room."""
    data, full = tmp_path / "data", tmp_path / "full"
    data.mkdir()
    disk = FailingDisk.built(tmp_path)
    environment = disk.environment(data, tmp_path / "calls", full=full)
    server = ServerProcess(data, environment, SETTINGS)
    yield Place(server, full)
    server.kill()


@asynccontextmanager
async def playing(place: Place) -> AsyncIterator[tuple[Calls, str, Guest, Guest]]:
    """Begin a match; yield who is to move, and who waits."""
    async with aio.insecure_channel(place.server.target) as channel:
        calls = Calls(channel)
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        views = [await player.view(match_id) for player in players]
        mover = next(p for p, view in zip(players, views, strict=True) if view.legal_moves)
        yield calls, match_id, mover, next(p for p in players if p is not mover)


async def test_on_a_full_disk_moves_are_refused_with_a_time_to_try_again(place: Place) -> None:
    async with playing(place) as (_, match_id, mover, _):
        view = await mover.view(match_id)
        place.full.touch()
        before = await place.failures()

        refused = await failure_of(mover.move(match_id, first_move(view)))
        not_made = await failure_of(mover.create())

        assert await mover.view(match_id) == view
        for failure in (refused, not_made):
            assert failure.code is StatusCode.UNAVAILABLE
            assert (failure.reason, failure.retry_seconds) == ("STORE_UNAVAILABLE", 1)
        assert await place.failures() >= before + 2


async def test_on_a_full_disk_streams_and_reads_go_on_and_a_drain_ends_well(place: Place) -> None:
    async with playing(place) as (calls, match_id, mover, waiting):
        stream = waiting.follow(match_id)
        sequence = (await anext(stream)).sequence
        place.full.touch()
        await failure_of(mover.move(match_id, first_move(await mover.view(match_id))))

        assert (await anext(stream)).sequence == sequence
        assert (await anext(mover.follow(match_id))).sequence == sequence
        assert [info.match_id for info in (await waiting.my_matches()).matches] == [match_id]
        assert await check_health(calls.channel) == health_pb2.HealthCheckResponse(status="SERVING")
        assert await place.page("/readyz") == (200, "yes\n")
    assert place.server.stop() == 0


def test_a_server_does_not_start_on_a_full_disk_and_says_why(
    place: Place, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert place.server.stop() == 0
    place.full.touch()
    disk = FailingDisk(tmp_path / "failing_disk.so")
    environment = disk.environment(place.server.data, tmp_path / "calls", full=place.full)
    with pytest.raises(ServerEnded, match="exit code 1"):
        ServerProcess(place.server.data, environment)
    assert capfd.readouterr().err == (
        f"durak-server: cannot use {place.server.data / 'durak.sqlite'}: disk I/O error,"
        " no room is left for the file -shm\n"
    )


async def test_once_there_is_room_the_same_server_goes_on(place: Place) -> None:
    async with playing(place) as (_, match_id, mover, waiting):
        stream = waiting.follow(match_id)
        await anext(stream)
        move = first_move(await mover.view(match_id))
        place.full.touch()
        await failure_of(mover.move(match_id, move, request_id="once"))
        place.full.unlink()

        answer = await mover.move(match_id, move, request_id="once")

        async for update in stream:
            if update.events:
                break
        assert [event.sequence for event in update.events] == [
            event.sequence for event in answer.events
        ]
    assert place.server.stop() == 0


async def test_matches_played_on_a_disk_that_is_full_now_and_then_are_whole(place: Place) -> None:
    history, progress = History(), Progress()

    async def fill() -> None:
        for moves in (10, 20):
            await progress.reaches(moves)
            place.full.touch()
            before = await place.failures()
            while await place.failures() == before:
                pass  # the page is asked, again and again, until a move was refused
            place.full.unlink()

    filling = asyncio.create_task(fill())
    match_id = await play_recorded(place.server.port, 0, history, progress, repeats=2)
    await filling
    assert place.server.stop() == 0
    assert faults(history, await stored_logs(place.server.data, [match_id])) == []
