"""Commands whose output nobody reads any more end without a word, as `durak replay FILE | head`."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from durak_server.store import SqliteStore
from tests.app.commands import COMMAND, environment
from tests.client.players import player
from tests.live_server import running_server
from tests.store.logs import log
from tests.terminal.commands import begin, end

RECORDED = str(Path(__file__).parents[1] / "recorded" / "prostoy.json")


@contextmanager
def closed_pipe() -> Iterator[int]:
    """Give a pipe to write to of which the reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        yield writing
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", ["replay", "verify"])
async def test_a_file_is_told_to_nobody(command: str, tmp_path: Path) -> None:
    with closed_pipe() as pipe:
        ended = await end(await begin(tmp_path, command, RECORDED, stdout=pipe))
    assert (ended.code, ended.err) == (1, "")


async def test_a_match_is_told_to_nobody(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port) as vasya:
        match = await vasya.create_match()
        address = ("--server", f"127.0.0.1:{server.port}")
        for command in (("matches",), ("watch", match.match_id), ("play", "--plain")):
            with closed_pipe() as pipe:
                ended = await end(await begin(tmp_path, *command, *address, stdout=pipe))
            assert (ended.code, ended.err) == (1, "")


SERVE = ("serve", "--listen", "127.0.0.1:0", "--metrics-listen", "", "--log-level", "error")


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """The folder of a store with a match in it."""
    store = await SqliteStore.open(tmp_path / "durak.sqlite")
    await log("m").keep(store)
    await store.close()
    return tmp_path


@pytest.mark.parametrize("command", [("log", "list"), ("log", "check"), SERVE])
def test_an_operator_is_told_nothing(command: tuple[str, ...], data: Path) -> None:
    settings = environment(DURAK_DATA=str(data), DURAK_DRAIN_SETTLE_SECONDS="0")
    with closed_pipe() as pipe:
        ended = subprocess.run(
            [*COMMAND, *command], env=settings, stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, b"")
