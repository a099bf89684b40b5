"""One table: a person at a terminal, a bot of ten lines, a bot of the house."""

import asyncio
import random
from pathlib import Path

from durak_client import Client, Match
from durak_client import play as let_play
from durak_server.matches import History, match_view
from durak_server.store import SqliteStore
from tests.live_server import running_server
from tests.terminal.screens import RESULT, play, play_first_moves, terminal


async def bot_of_ten_lines(port: int, seated: "asyncio.Future[Match]") -> tuple[int, ...]:
    async with await Client.connect(f"127.0.0.1:{port}", name="Robot") as client:
        match = await client.create_match("perevodnoy", seats=3, start_when_full=True)
        await match.add_bot("lowest")
        seated.set_result(match)
        end = await let_play(client, match, lambda view: random.choice(view.legal_moves))
        return end.fools


async def test_a_person_a_bot_and_a_house_bot_play_to_the_fool(tmp_path: Path) -> None:
    seated: asyncio.Future[Match] = asyncio.get_running_loop().create_future()
    async with running_server(store="sqlite", data=tmp_path / "data") as server:
        robot = asyncio.create_task(bot_of_ten_lines(server.port, seated))
        match = await seated
        join = play(tmp_path, server.port, "--join", match.match_id, "--name", "Vasya")
        async with terminal(tmp_path, join) as tty:
            screen = await play_first_moves(tty)
        fools = await robot
        live = await server.live.find(match.match_id)
        shown = [live.view(seat) for seat in (None, 0, 1, 2)]
    assert RESULT.search(screen)
    assert "exit code 0" in screen
    store = await SqliteStore.open(tmp_path / "data" / "durak.sqlite")
    history = History(await store.read(match.match_id))
    await store.close()
    replayed = history.match
    assert replayed is not None
    assert [match_view(replayed, seat) for seat in (None, 0, 1, 2)] == shown
    assert fools == tuple(seat for seat, times in enumerate(replayed.times_fool) if times)
