"""A stranger's client: Node, with nothing but the published .proto files."""

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import match_pb2
from tests.live_server import connected, running_server

PLAYER = Path(__file__).with_name("node") / "play.js"
PROTOS = Path(__file__).parents[2] / "protos"


async def told_by_node(server: DurakServer, preset: str) -> dict[str, object]:
    """Let Node play a match on the server, and return what it tells of it."""
    command = ("node", str(PLAYER), f"127.0.0.1:{server.port}", str(PROTOS), preset)
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    told: dict[str, object] = json.loads(output)
    return told


@pytest.mark.parametrize("preset", ["PRESET_PODKIDNOY", "PRESET_PEREVODNOY"])
async def test_node_plays_a_match_to_its_end(preset: str) -> None:
    async with running_server() as server, connected(server) as calls:
        told = await told_by_node(server, preset)
        info = (await (await calls.guest()).look(str(told["matchId"]))).info
        assert info.status == match_pb2.MATCH_STATUS_FINISHED
        assert told["status"] == "MATCH_STATUS_FINISHED"
        assert told["sequences"] == list(range(1, info.sequence + 1))
        assert told["fools"] == [seat.seat for seat in info.seats if seat.times_fool]
