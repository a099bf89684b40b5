"""What those who watch the lobby are told, and what they are not."""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from random import Random
from typing import Any

import pytest
from grpc import StatusCode, aio

from durak_server.pb.durak.v1 import lobby_service_pb2, match_pb2
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    read_failure,
    running_server,
    started_match,
)

STEPS = int(os.environ.get("LOBBY_STEPS", "1200"))
"""Random calls of the long test; `LOBBY_STEPS=50000` is a thorough run."""
News = AsyncGenerator[lobby_service_pb2.WatchLobbyResponse, None]
Picture = dict[str, match_pb2.MatchInfo]


def taken_in(picture: Picture, news: lobby_service_pb2.WatchLobbyResponse) -> None:
    """Change a picture of the lobby by what was told; what was told must fit it."""
    for info in news.added:
        assert info.match_id not in picture
        picture[info.match_id] = info
    for info in news.changed:
        assert info.match_id in picture
        picture[info.match_id] = info
    for match_id in news.removed_match_ids:
        del picture[match_id]


async def listed(stream: News) -> Picture:
    """Return the list with which a stream begins."""
    picture: Picture = {}
    async for news in stream:
        taken_in(picture, news)
        if news.is_complete:
            return picture
    raise AssertionError("the list is not completed")


async def next_news(stream: News) -> lobby_service_pb2.WatchLobbyResponse:
    """Return the next message that is no heartbeat."""
    async for news in stream:
        if news.ByteSize():
            return news
    raise AssertionError("the stream ended")


async def test_it_begins_with_the_whole_list_newest_first(calls: Calls) -> None:
    guest = await calls.guest()
    made = [(await guest.create()).info.match_id for _ in range(250)]
    stream = guest.watch_lobby()

    pages = [await anext(stream) for _ in range(3)]

    assert [info.match_id for page in pages for info in page.added] == made[::-1]
    assert [len(page.added) for page in pages] == [100, 100, 50]
    assert [page.is_complete for page in pages] == [False, False, True]
    await stream.aclose()


async def test_an_empty_list_is_told_at_once(calls: Calls) -> None:
    stream = (await calls.guest()).watch_lobby()

    assert await anext(stream) == lobby_service_pb2.WatchLobbyResponse(is_complete=True)
    await stream.aclose()


async def test_what_is_made_changed_and_over_is_told_as_the_list_tells_it(calls: Calls) -> None:
    watcher, a, b = await calls.guests(3)
    stream = watcher.watch_lobby()
    await listed(stream)

    await a.create(match_id="m", rules={"seats": 3})
    made = await next_news(stream)
    (info,) = (await watcher.matches()).matches
    assert made == lobby_service_pb2.WatchLobbyResponse(added=[info])

    await b.join("m")
    joined = await next_news(stream)
    (info,) = (await watcher.matches()).matches
    assert joined == lobby_service_pb2.WatchLobbyResponse(changed=[info])

    await b.leave("m")
    assert [seat.name for seat in (await next_news(stream)).changed[0].seats[1:]] == ["", ""]
    await a.leave("m")
    assert await next_news(stream) == lobby_service_pb2.WatchLobbyResponse(removed_match_ids=["m"])
    await stream.aclose()


async def test_a_match_that_stops_fitting_is_removed_and_comes_back(calls: Calls) -> None:
    watcher, a, b = await calls.guests(3)
    stream = watcher.watch_lobby(has_free_seat=True)
    await listed(stream)
    await a.create(match_id="m")
    await next_news(stream)

    await b.join("m")
    assert (await next_news(stream)).removed_match_ids == ["m"]
    await b.leave("m")
    assert [info.match_id for info in (await next_news(stream)).added] == ["m"]
    await stream.aclose()


async def test_unlisted_matches_and_moves_are_not_told(calls: Calls) -> None:
    watcher, *players = await calls.guests(3)
    match_id = await started_match(2, players)
    hidden = (await players[0].create(visibility="VISIBILITY_UNLISTED")).info
    stream = watcher.watch_lobby()
    assert list(await listed(stream)) == [match_id]

    await players[1].join(invite_code=hidden.invite_code)
    view = await players[0].view(match_id)
    mover = players[0] if view.legal_moves else players[1]
    await mover.move(match_id, first_move(await mover.view(match_id)))
    await players[0].create(match_id="open")

    news = await next_news(stream)
    assert [info.match_id for info in news.added] == ["open"]
    assert (list(news.changed), list(news.removed_match_ids)) == ([], [])
    assert news.added[0].invite_code == ""
    await stream.aclose()


async def test_silence_is_broken_by_empty_messages() -> None:
    async with running_server(heartbeat_seconds=0.01) as server, connected(server) as calls:
        stream = (await calls.guest()).watch_lobby()
        await listed(stream)
        for _ in range(3):
            assert await anext(stream) == lobby_service_pb2.WatchLobbyResponse()
        await stream.aclose()


@pytest.mark.parametrize("status", ["FINISHED", "ABANDONED"])
async def test_what_is_over_cannot_be_watched(calls: Calls, status: str) -> None:
    stream = (await calls.guest()).watch_lobby(statuses=[f"MATCH_STATUS_{status}"])

    failure = await failure_of(anext(stream))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("filter.statuses",))


async def test_a_drain_ends_it_with_a_time_to_come_back() -> None:
    async with running_server(drain_grace_seconds=3600) as server, connected(server) as calls:
        stream = (await calls.guest()).watch_lobby()
        await listed(stream)

        async with asyncio.timeout(60):
            await server.drain()

        failure = await failure_of(anext(stream))
        assert (failure.code, failure.reason) == (StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
        assert failure.pushback_ms == "500"


async def test_a_reader_that_takes_nothing_is_ended() -> None:
    settings = {"watcher_stall_seconds": 0.5, "heartbeat_seconds": 0.01}
    async with running_server(**settings) as server, connected(server) as calls:
        guest = await calls.guest()
        for _ in range(100):
            await guest.create()
        # A connection that buffers next to nothing: a reader's pause is felt at once.
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            stalled = narrow.lobby.WatchLobby(
                lobby_service_pb2.WatchLobbyRequest(), metadata=guest.metadata
            )
            witness = guest.watch_lobby()
            async for _ in witness:
                if metric(server, "durak_watchers_dropped_total"):
                    break
            await witness.aclose()

            failure = await failure_of(_rest(stalled))
        assert (failure.code, failure.reason) == (
            StatusCode.RESOURCE_EXHAUSTED,
            "WATCHER_TOO_SLOW",
        )
        assert failure.pushback_ms == "1000"


async def _rest(call: "aio.UnaryStreamCall[Any, Any]") -> None:  # Any: the messages do not matter
    while (await call.read()) is not aio.EOF:
        pass


FILTERS: list[dict[str, Any]] = [  # Any: each field has a type of its own
    {},
    {"has_free_seat": True},
    {"statuses": ["MATCH_STATUS_OPEN"]},
    {"presets": ["PRESET_PEREVODNOY"]},
    {"rules": {"seats": 3}},
]


class Crowd:
    """Players who do whatever comes into their heads, refused or not."""

    def __init__(self, players: list[Guest], seed: int) -> None:
        self._players = players
        self._random = Random(seed)
        self._match_ids = ["none"]

    async def act(self, times: int) -> None:
        """Let each player act so often, all at once."""
        await asyncio.gather(*(self._acts_of(player, times) for player in self._players))

    async def _acts_of(self, player: Guest, times: int) -> None:
        acts = [self._create, self._join, self._join, self._leave, self._add_bot, self._remove]
        acts += [self._start, self._move]
        for _ in range(times):
            act = self._random.choice(acts)
            # Most matches that were forgotten are left alone.
            match_id = self._random.choice(self._match_ids[-12:])
            try:
                await act(player, match_id)
            except aio.AioRpcError as error:
                if read_failure(error).reason == "INTERNAL":
                    raise

    async def _create(self, player: Guest, _: str) -> None:
        made = await player.create(
            preset=self._random.choice(["PRESET_PODKIDNOY", "PRESET_PEREVODNOY"]),
            visibility=self._random.choice(["VISIBILITY_PUBLIC"] * 4 + ["VISIBILITY_UNLISTED"]),
            rules={"seats": self._random.randint(2, 4)},
            start_when_full=self._random.random() < 0.5,
        )
        self._match_ids.append(made.info.match_id)

    async def _join(self, player: Guest, match_id: str) -> None:
        await player.join(match_id)

    async def _leave(self, player: Guest, match_id: str) -> None:
        await player.leave(match_id)

    async def _add_bot(self, player: Guest, match_id: str) -> None:
        await player.add_bot(match_id)

    async def _start(self, player: Guest, match_id: str) -> None:
        await player.start(match_id)

    async def _remove(self, player: Guest, match_id: str) -> None:
        other = self._random.choice(self._players)
        await player.remove(match_id, other.player_id)

    async def _move(self, player: Guest, match_id: str) -> None:
        view = await player.view(match_id)
        if view.legal_moves:
            await player.move(match_id, first_move(view))


class Painter:
    """One who watches the lobby and keeps a picture of it."""

    def __init__(self, guest: Guest, filter_: dict[str, Any]) -> None:  # Any: as FILTERS
        self._guest = guest
        self._filter = filter_
        self.has_list = asyncio.Event()

    async def paint(self, last: str) -> Picture:
        """Return the picture once a match of that id is in it."""
        picture: Picture = {}
        async with aclosing(self._guest.watch_lobby(**self._filter)) as stream:
            async for news in stream:
                taken_in(picture, news)
                if news.is_complete:
                    self.has_list.set()
                if last in picture:
                    break
        return still(picture.values())

    async def truth(self) -> Picture:
        """Return what the list says."""
        found: list[match_pb2.MatchInfo] = []
        token, is_last = "", False
        while not is_last:
            page = await self._guest.matches(filter=self._filter, page_size=100, page_token=token)
            found += page.matches
            token, is_last = page.next_page_token, not page.next_page_token
        return still(found)


def still(matches: Iterable[match_pb2.MatchInfo]) -> Picture:
    """Return matches by their ids, without what moves change."""
    picture: Picture = {}
    for info in matches:
        info.ClearField("sequence")
        info.ClearField("updated_at")
        picture[info.match_id] = info
    return picture


async def test_after_many_random_changes_every_picture_is_that_of_the_list(
    calls: Calls,
) -> None:
    watcher, *players = await calls.guests(7)
    crowd = Crowd(players, seed=7)
    await crowd.act(STEPS // 40)
    painters = [Painter(watcher, filter_) for filter_ in FILTERS]
    painting = [asyncio.create_task(painter.paint("last")) for painter in painters]
    await crowd.act(STEPS // len(players))
    for painter in painters:
        await painter.has_list.wait()

    await players[0].create(match_id="last", preset="PRESET_PEREVODNOY", rules={"seats": 3})

    for painter, picture in zip(painters, painting, strict=True):
        assert await picture == await painter.truth()
