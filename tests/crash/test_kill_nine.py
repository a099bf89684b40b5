"""A server killed in the middle of many matches loses nothing that it acknowledged."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from durak_server.rules import DealEnded
from durak_server.store import SqliteStore
from tests.client.players import player
from tests.crash.history import History, Logged, faults
from tests.crash.recorded_play import Progress, RecordingBot
from tests.server_process import ServerProcess, served

MATCHES = 50
KILLED_AFTER = (100, 400, 800)
"""Acknowledged moves; a match has some fifty, so that all are in the middle."""


async def play_match(
    stack: AsyncExitStack, port: int, number: int, history: History, progress: Progress
) -> str:
    """Play a match between two bots to its end and return its id."""
    owner, guest = [await stack.enter_async_context(player(port)) for _ in range(2)]
    match = await owner.create_match("perevodnoy" if number % 2 else "podkidnoy")
    await guest.join(match.match_id)
    await match.start()
    async with asyncio.TaskGroup() as group:
        for seat, client in enumerate((owner, guest)):
            bot = RecordingBot(client, history, progress, seed=2 * number + seat)
            group.create_task(bot.play(match.match_id))
    return match.match_id


async def kill_again_and_again(server: ServerProcess, progress: Progress) -> None:
    """Kill the server while the bots play, and start it again on the same file and port."""
    for moves in KILLED_AFTER:
        await progress.reaches(moves)
        await asyncio.to_thread(server.restart)


async def stored_logs(data: Path, match_ids: list[str]) -> dict[str, list[Logged]]:
    """Read the logs from the file of a server that has ended."""
    store = await SqliteStore.open(data / "durak.sqlite")
    logs = {}
    for match_id in match_ids:
        records = await store.read(match_id)
        assert any(isinstance(record.event, DealEnded) for record in records)
        logs[match_id] = [
            Logged(record.sequence, type(record.event).__name__, record.request_id)
            for record in records
        ]
    await store.close()
    return logs


async def test_fifty_matches_survive_a_server_that_is_killed(tmp_path: Path) -> None:
    history, progress = History(), Progress()
    with served(tmp_path) as server:
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(play_match(stack, server.port, number, history, progress))
                for number in range(MATCHES)
            ]
            await kill_again_and_again(server, progress)
        assert server.stop() == 0
    match_ids = [task.result() for task in tasks]
    assert all(seen.finished for seen in history.watched)
    assert len(history.watched) == 2 * MATCHES
    assert faults(history, await stored_logs(tmp_path, match_ids)) == []
