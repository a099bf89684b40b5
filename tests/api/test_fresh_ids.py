"""Ids that the server chooses are the same for a repeat, and known to nobody before."""

from pathlib import Path

import pytest

from durak_server.api import MatchIds
from tests.live_server import connected, running_server

SECRET = "a secret of at least thirty-two characters"
SAME = MatchIds(SECRET).fresh("anna", "r")
OTHERS = [
    MatchIds(SECRET + "!").fresh("anna", "r"),
    MatchIds(SECRET).fresh("boris", "r"),
    MatchIds(SECRET).fresh("anna", "s"),
]


def test_a_repeat_gives_the_same_id_also_after_a_restart() -> None:
    assert MatchIds(SECRET).fresh("anna", "r") == SAME
    assert len(SAME) == 32


@pytest.mark.parametrize("other", OTHERS)
def test_another_secret_player_or_request_gives_another_id(other: str) -> None:
    assert other != SAME


def test_a_request_without_an_id_is_always_another() -> None:
    ids = MatchIds(SECRET)

    assert ids.fresh("anna", "") != ids.fresh("anna", "")


async def test_the_id_of_a_match_comes_from_the_secret_of_the_server(tmp_path: Path) -> None:
    settings = {"token_secret": SECRET, "store": "sqlite", "data": tmp_path}
    async with running_server(**settings) as server, connected(server) as calls:
        guest = await calls.guest()
        made = await guest.create(request_id="r")

    assert made.info.match_id == MatchIds(SECRET).fresh(guest.player_id, "r")
