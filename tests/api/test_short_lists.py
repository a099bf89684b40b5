"""A filter that hardly anything fits finds it behind pages that are short, or empty."""

from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import match_pb2
from durak_server.rules import RuleSet
from durak_server.store import SqliteStore
from tests.api.operators import kept_in, operating
from tests.client.players import player
from tests.live_server import Calls, running_server
from tests.store.logs import log
from tests.store.rows import keep_rows, rows_of

WANTED: Final = log("wanted", rules=RuleSet(seats=3)).summary
UNWANTED: Final = log("unwanted").summary
OLDEST: Final = "m00000"
"""The only match with three seats; 1,500 newer ones have two."""
THREE: Final[dict[str, Any]] = {"rules": {"seats": 3}}  # Any: each field has a type of its own


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DurakServer]:
    """A server with 1,501 open matches."""
    now = datetime.now(UTC)
    rows = rows_of([WANTED], 1, now) + rows_of([UNWANTED], 1_501, now)[1:]
    store = await SqliteStore.open(tmp_path / "durak.sqlite")
    await keep_rows(store, rows)
    await store.close()
    async with running_server(**kept_in(tmp_path)) as server:
        yield server


def ids(matches: Iterable[match_pb2.MatchInfo]) -> list[str]:
    return [info.match_id for info in matches]


async def test_an_empty_page_leads_to_the_next_one(server: DurakServer, calls: Calls) -> None:
    guest = await calls.guest()

    first = await guest.matches(filter=THREE)
    second = await guest.matches(filter=THREE, page_token=first.next_page_token)

    assert (ids(first.matches), bool(first.next_page_token)) == ([], True)
    assert (ids(second.matches), second.next_page_token) == ([OLDEST], "")


async def test_the_operator_is_led_on_as_well(server: DurakServer) -> None:
    async with operating(server) as operator:
        first = await operator.list(filter=THREE)
        second = await operator.list(filter=THREE, page_token=first.next_page_token)

    assert (ids(first.matches), ids(second.matches)) == ([], [OLDEST])


async def test_who_watches_the_lobby_hears_of_no_empty_page(calls: Calls) -> None:
    stream = (await calls.guest()).watch_lobby(**THREE)

    told = await anext(stream)

    assert (ids(told.added), told.is_complete) == ([OLDEST], True)
    await stream.aclose()


async def test_the_client_asks_on_until_the_list_ends(server: DurakServer) -> None:
    async with player(server.port) as client:
        assert [info.match_id async for info in client.matches(seats=3)] == [OLDEST]
        assert [info.match_id async for info in client.matches(seats=4)] == []
