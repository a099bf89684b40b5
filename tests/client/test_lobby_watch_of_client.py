"""The lobby as the client library watches it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing

import pytest

from durak_client import ClientClosed, InvalidRequest, LobbyUpdate, Lost
from tests.client.players import player
from tests.client.relays import wire_to
from tests.live_server import running_server

Told = tuple[set[str], list[str], list[str], list[str]]


def told(update: LobbyUpdate) -> Told:
    """All that are listed, and the ids of those added, changed and removed."""
    added, changed, removed = (
        [info.match_id for info in matches]
        for matches in (update.added, update.changed, update.removed)
    )
    return set(update.matches), added, changed, removed


async def following(updates: AsyncGenerator[LobbyUpdate, None]) -> Told:
    return told(await anext(updates))


async def test_a_watcher_hears_what_is_there_and_then_what_changes() -> None:
    async with (
        running_server() as server,
        player(server.port) as client,
        player(server.port, "Boris") as other,
        aclosing(client.watch_lobby(presets=["prostoy"], has_free_seat=True)) as updates,
    ):
        first = (await other.create_match("prostoy")).match_id
        assert await following(updates) == ({first}, [first], [], [])

        await other.create_match("podkidnoy")
        second = await other.create_match("prostoy", seats=3)
        both = {first, second.match_id}
        assert await following(updates) == (both, [second.match_id], [], [])

        await client.join(second.match_id)
        assert await following(updates) == (both, [], [second.match_id], [])
        await client.join(first)
        assert await following(updates) == ({second.match_id}, [], [], [first])


async def test_what_changed_while_the_connection_was_lost_is_told_as_if_it_had_not_been() -> None:
    lost: list[Lost] = []
    async with (
        running_server() as server,
        player(server.port) as other,
        wire_to(server.port) as wire,
        player(wire.port) as client,
        aclosing(client.watch_lobby(on_lost=lost.append)) as updates,
    ):
        stays, changes, goes = [await other.create_match(seats=3) for _ in range(3)]
        ids = [match.match_id for match in (stays, changes, goes)]
        assert await following(updates) == (set(ids), ids[::-1], [], [])

        wire.freeze()
        await changes.add_bot()
        await goes.leave()
        made = (await other.create_match()).match_id
        wire.cut()

        now = {stays.match_id, changes.match_id, made}
        assert await following(updates) == (now, [made], [changes.match_id], [goes.match_id])
        assert len(lost) == 1


async def test_watchers_of_a_server_that_goes_away_do_not_come_back_together() -> None:
    waits: list[float] = []
    all_lost = asyncio.Event()

    def note(lost: Lost) -> None:
        waits.append(lost.wait_seconds)
        if len(waits) == 8:
            all_lost.set()

    async with running_server() as server, player(server.port) as client, AsyncExitStack() as stack:
        for _ in range(8):
            watching = client.watch_lobby(on_lost=note)
            await stack.enter_async_context(aclosing(watching))
            await anext(watching)
            coming = asyncio.ensure_future(anext(watching))
            stack.push_async_callback(asyncio.wait, [coming])
            stack.callback(coming.cancel)
        await server.drain()
        await all_lost.wait()

    assert all(0.5 <= wait <= 0.75 for wait in waits[:8])
    assert len(set(waits[:8])) == 8


async def test_what_the_server_never_serves_is_raised() -> None:
    async with running_server() as server, player(server.port) as client:
        with pytest.raises(InvalidRequest):
            await anext(client.watch_lobby(statuses=["finished"]))
        with pytest.raises(ValueError, match="no option is called 'color'"):
            client.watch_lobby(color="red")


async def test_closing_the_client_ends_the_watch() -> None:
    async with running_server() as server, player(server.port) as client:
        updates = client.watch_lobby()
        await anext(updates)
        await client.close()
        with pytest.raises(ClientClosed):
            await anext(updates)
