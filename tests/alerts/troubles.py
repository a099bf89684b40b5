"""A trouble for each alert, caused on a real server for as long as it is let."""

import asyncio
import os
import resource
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP
from types import MappingProxyType
from typing import TypeAlias

from grpc import aio

from durak_server.pb.durak.v1 import rules_pb2
from tests.alerts.place import Place
from tests.api.certificates import make_certificate
from tests.live_server import Guest, first_move, started_match

Trouble: TypeAlias = Callable[[Place], Awaitable[None]]
Settings: TypeAlias = Mapping[str, str]
_TABLES = 30
_FILES = 200


async def be_gone(place: Place) -> None:
    os.kill(place.server.process_id, SIGKILL)


async def start_again_and_again(place: Place) -> None:
    while True:
        await asyncio.to_thread(place.server.restart)
        await asyncio.sleep(0.5)


async def fill_the_disk(place: Place) -> None:
    async with place.connected() as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        place.full.touch()
        while True:
            await _try_to_move(match_id, players)


async def slow_the_disk_down(place: Place) -> None:
    place.slow.touch()
    async with place.connected() as calls:
        players = await calls.guests(2)
        while True:
            match_id = await started_match(2, players)
            for _ in range(20):
                await _try_to_move(match_id, players)


async def stop_the_process_now_and_then(place: Place) -> None:
    while True:
        await _freeze(place, 0.7)  # longer than between two looks at the clock
        await asyncio.sleep(0.5)


async def stop_the_process_while_clocks_run(place: Place) -> None:
    async with place.connected() as calls:
        players = await calls.guests(2)
        rules = {"turn_seconds": 1, "on_timeout": rules_pb2.ON_TIMEOUT_AUTO_MOVE}
        for _ in range(_TABLES):
            await started_match(2, players, rules=rules)
        while True:
            await _freeze(place, 3.5)
            await asyncio.sleep(1)


async def take_records_away(place: Place) -> None:
    async with place.connected() as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        await _try_to_move(match_id, players)
        with closing(sqlite3.connect(place.data / "durak.sqlite")) as store:
            store.execute("DELETE FROM records WHERE sequence > 5")
            store.execute("UPDATE matches SET sequence = 5")
            store.commit()
        await _try_to_move(match_id, players)


async def follow_without_reading(place: Place) -> None:
    async with place.connected(http2__lookahead_bytes=1024, http2__bdp_probe=0) as calls:
        guest = await calls.guest()
        streams = []
        while True:
            streams.append(calls.play.Play(metadata=guest.metadata))
            await streams[-1].read()
            await asyncio.sleep(1)


async def move_out_of_turn(place: Place) -> None:
    async with place.connected() as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        views = [await player.view(match_id) for player in players]
        move = next(first_move(view) for view in views if view.legal_moves)
        waiting = next(p for p, view in zip(players, views, strict=True) if not view.legal_moves)
        while True:
            with suppress(aio.AioRpcError):
                await waiting.move(match_id, move)
            await asyncio.sleep(0.05)


async def leave_little_room(place: Place) -> None:
    free = shutil.disk_usage(place.data)
    (place.data / "somebody else's").write_bytes(bytes(int(free.free - 0.1 * free.total)))


async def connect_and_say_nothing(place: Place) -> None:
    server = place.server.process_id
    _, hard = resource.prlimit(server, resource.RLIMIT_NOFILE)
    resource.prlimit(server, resource.RLIMIT_NOFILE, (_FILES, hard))
    async with AsyncExitStack() as stack:
        while _open_files(server) < 0.9 * _FILES:
            calls = await stack.enter_async_context(place.connected(use_local_subchannel_pool=1))
            await calls.channel.channel_ready()
        await asyncio.Event().wait()


def _open_files(process_id: int) -> int:
    return sum(1 for _ in Path(f"/proc/{process_id}/fd").iterdir())


async def _try_to_move(match_id: str, players: list[Guest]) -> None:
    for player in players:
        with suppress(aio.AioRpcError):
            view = await player.view(match_id)
            if view.legal_moves:
                await player.move(match_id, first_move(view))


async def _freeze(place: Place, seconds: float) -> None:
    os.kill(place.server.process_id, SIGSTOP)
    await asyncio.sleep(seconds)
    os.kill(place.server.process_id, SIGCONT)


async def let_it_be(_: Place) -> None:
    """Do nothing: the settings are the trouble."""


def keys_from_nowhere(_: Path) -> Settings:
    return {
        "DURAK_AUTH": "jwt",
        "DURAK_JWT_ISSUER": "https://id.example",
        "DURAK_JWT_AUDIENCE": "durak",
        "DURAK_JWKS_URL": "http://127.0.0.1:1/keys",
        "DURAK_JWKS_REFRESH_SECONDS": "1",
    }


def a_certificate_for_a_day(folder: Path) -> Settings:
    certificate, key = make_certificate(folder, "short")
    return {"DURAK_TLS_CERTIFICATE": str(certificate), "DURAK_TLS_KEY": str(key)}


SETTINGS: Mapping[str, Callable[[Path], Settings]] = MappingProxyType(
    {
        "DurakIdentityKeysStale": keys_from_nowhere,
        "DurakCertificateExpires": a_certificate_for_a_day,
    }
)
"""What the server of a trouble is set to, if the trouble lies there."""

TROUBLES: Mapping[str, Trouble] = MappingProxyType(
    {
        "DurakDown": be_gone,
        "DurakRestartLoop": start_again_and_again,
        "DurakFailingCalls": fill_the_disk,
        "DurakSlowMoves": slow_the_disk_down,
        "DurakStoreFailing": fill_the_disk,
        "DurakStoreSlow": slow_the_disk_down,
        "DurakLogCut": take_records_away,
        "DurakSlowWatchers": follow_without_reading,
        "DurakEventLoopLag": stop_the_process_now_and_then,
        "DurakClocksLate": stop_the_process_while_clocks_run,
        "DurakNoMatchProgresses": move_out_of_turn,
        "DurakDiskFilling": leave_little_room,
        "DurakOpenFiles": connect_and_say_nothing,
        "DurakIdentityKeysStale": let_it_be,
        "DurakCertificateExpires": let_it_be,
    }
)
"""What each alert tells of."""
