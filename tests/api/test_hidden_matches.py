"""An unlisted match without spectators answers strangers as an id that was never used.

`CreateMatch` alone does not: two matches cannot have the same id. Ids made by the server or the
client library cannot be guessed.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from grpc import aio

from durak_server.api.failures import match_not_found
from durak_server.api.hidden_matches import HiddenMatches
from durak_server.api.server import SERVICES
from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import (
    lobby_service_pb2,
    move_pb2,
    play_service_pb2,
    replay_service_pb2,
    talk_pb2,
)
from durak_server.runtime import MatchHidden, MatchMissing
from durak_server.store import StoreUnavailable
from tests.api.one_stream import follow, one_stream, unfollow
from tests.live_server import Calls, Guest, connected, read_failure, running_server
from tests.runtime.faulty_stores import TornStore

Attempt = Callable[[Guest, str], Awaitable[object]]
"""What a guest tries with a match of that id."""
TRIES = 5
"""More than a player may say at once."""
HIDDEN = {"visibility": "VISIBILITY_UNLISTED", "spectators": "SPECTATORS_NONE"}
NOWHERE = "f" * 32
BEATING: dict[str, Any] = {"heartbeat_seconds": 0.01}  # Any: each setting has a type of its own
PASS = move_pb2.Move(kind=move_pb2.MOVE_KIND_PASS)


def replayed(call: str, **fields: object) -> Attempt:
    """Return the attempt to call something of ReplayService."""
    kind = getattr(replay_service_pb2, f"{call}Request")

    async def attempt(guest: Guest, match_id: str) -> object:
        method = getattr(guest.calls.replay, call)
        return await method(kind(match_id=match_id, **fields), metadata=guest.metadata)

    return attempt


def commanded(command: Callable[[str], play_service_pb2.PlayCommand]) -> Attempt:
    """Return the attempt to have a command done on a stream of Play that follows an open match."""

    async def attempt(guest: Guest, match_id: str) -> object:
        async with one_stream(guest) as stream:
            await stream.call.read()  # a heartbeat, or the end of the stream
            await stream.ask(follow("open"))
            (answer,) = await stream.ask(command(match_id))
            return answer

    return attempt


def _move(match_id: str) -> play_service_pb2.PlayCommand:
    request = play_service_pb2.MakeMoveRequest(match_id=match_id, move=PASS)
    return play_service_pb2.PlayCommand(move=request)


def _say(match_id: str) -> play_service_pb2.PlayCommand:
    speech = talk_pb2.Speech(text="Hello")
    return play_service_pb2.PlayCommand(
        say=play_service_pb2.SayRequest(match_id=match_id, speech=speech)
    )


ATTEMPTS: dict[str, tuple[Attempt, ...]] = {
    "JoinMatch": (
        lambda guest, match_id: guest.join(match_id),
        lambda guest, match_id: guest.join(match_id, password="guess"),
        lambda guest, match_id: guest.join(match_id, password="x" * 65),
        lambda guest, match_id: guest.join(match_id, seat=99),
    ),
    "AddBot": (
        lambda guest, match_id: guest.add_bot(match_id),
        lambda guest, match_id: guest.add_bot(match_id, level=99),
        lambda guest, match_id: guest.add_bot(match_id, request_id="é"),
    ),
    "StartMatch": (lambda guest, match_id: guest.start(match_id, expected_sequence=99),),
    "LeaveMatch": (lambda guest, match_id: guest.leave(match_id, expected_sequence=99),),
    "RemovePlayer": (lambda guest, match_id: guest.remove(match_id, guest.player_id),),
    "RenewInvite": (lambda guest, match_id: guest.renew_invite(match_id),),
    "ReleaseSeats": (lambda guest, match_id: guest.release_seats(match_id),),
    "SetReady": (lambda guest, match_id: guest.set_ready(match_id, is_ready=True),),
    "Rematch": (lambda guest, match_id: guest.rematch(match_id),),
    "MakeMove": (
        lambda guest, match_id: guest.move(match_id, PASS, expected_sequence=99),
        lambda guest, match_id: guest.move(match_id),
    ),
    "AddSeed": (lambda guest, match_id: guest.add_seed(match_id, seed=b"s", commitment=b"c" * 32),),
    "Say": (lambda guest, match_id: guest.say(match_id, "Hello"),),
    "GetView": (lambda guest, match_id: guest.look(match_id),),
    "StreamEvents": (
        lambda guest, match_id: guest.followed(match_id),
        lambda guest, match_id: guest.followed(match_id, after=99),
    ),
    "GetReplay": (replayed("GetReplay"), replayed("GetReplay", after_sequence=99)),
    "GetViewAt": (
        replayed("GetViewAt"),
        replayed("GetViewAt", sequence=99),
        replayed("GetViewAt", open_cards=True, seat=7),
    ),
    "ExportGame": (replayed("ExportGame"),),
    "Play.follow": (commanded(follow), commanded(lambda match_id: follow(match_id, 99))),
    "Play.unfollow": (commanded(unfollow),),
    "Play.move": (commanded(_move),),
    "Play.say": (commanded(_say),),
}


def calls_about_matches() -> set[str]:
    """Return every call whose request names a match that is there, and such commands of Play."""
    files = (lobby_service_pb2, play_service_pb2, replay_service_pb2)
    services = [one for file in files for one in file.DESCRIPTOR.services_by_name.values()]
    assert {service.full_name for service in services} < set(SERVICES)
    calls = {
        method.name
        for service in services
        for method in service.methods
        if "match_id" in method.input_type.fields_by_name
    }
    kinds = play_service_pb2.PlayCommand.DESCRIPTOR.oneofs_by_name["kind"].fields
    return calls - {"CreateMatch"} | {f"Play.{kind.name}" for kind in kinds}


def test_every_call_about_a_match_is_attempted() -> None:
    assert set(ATTEMPTS) == calls_about_matches()


Holding = Callable[[DurakServer, Guest], AbstractAsyncContextManager[object]]
"""Brings a server, and the guest who is about to call, into a state while the block runs."""


@asynccontextmanager
async def sitting_at_another(_: DurakServer, guest: Guest) -> AsyncIterator[None]:
    await guest.create()
    yield


@asynccontextmanager
async def following_another(_: DurakServer, guest: Guest) -> AsyncIterator[None]:
    stream = guest.follow("open")
    await anext(stream)
    yield
    await stream.aclose()


@asynccontextmanager
async def draining(server: DurakServer, _: Guest) -> AsyncIterator[None]:
    server.live.stop_making()
    yield


@asynccontextmanager
async def without_streams(server: DurakServer, _: Guest) -> AsyncIterator[None]:
    server.live.end_streams()
    yield


@asynccontextmanager
async def without_its_store(server: DurakServer, _: Guest) -> AsyncIterator[None]:
    await server.store.close()
    yield


@asynccontextmanager
async def draining_without_its_store(server: DurakServer, _: Guest) -> AsyncIterator[None]:
    server.live.stop_making()
    await server.store.close()
    yield


STATES: dict[str, tuple[dict[str, Any], Holding]] = {  # Any: as above
    "serving": ({}, lambda _server, _guest: nullcontext()),
    "draining": ({}, draining),
    "ending its streams": ({}, without_streams),
    "as many matches as he may": ({"matches_per_player": 1}, sitting_at_another),
    "draining at as many matches": ({"matches_per_player": 1}, draining),
    "as many streams as he may": ({"streams_per_player": 1}, following_another),
    "unable to read its store": ({}, without_its_store),
    "draining, unable to read its store": ({}, draining_without_its_store),
    "a stream that follows as many": ({"matches_per_stream": 1}, following_another),
    "a player who follows as many": ({"follows_per_player": 1}, following_another),
}


async def told(attempt: Attempt, guest: Guest, match_id: str) -> object:
    """Return all that a guest is told: a failure, or an answer."""
    try:
        answer = await attempt(guest, match_id)
    except aio.AioRpcError as error:
        return read_failure(error)
    return answer.SerializeToString() if isinstance(answer, Message) else answer


async def told_in(state: str, hidden: str, calls: Calls, server: DurakServer) -> list[object]:
    """Return what a new guest is told of a match, by each attempt, in a state of the server."""
    guest = await calls.guest()
    async with STATES[state][1](server, guest):
        return [
            (name, number, await told(attempt, guest, hidden))
            for name, attempts in ATTEMPTS.items()
            for number, attempt in enumerate(attempts)
            for _ in range(TRIES)
        ]


@pytest.mark.parametrize("state", STATES)
async def test_no_call_tells_a_hidden_match_from_none(state: str, tmp_path: Path) -> None:
    stored = {"store": "sqlite", "data": tmp_path}
    async with (
        running_server(**BEATING, **stored, **STATES[state][0]) as server,
        connected(server) as calls,
    ):
        owner, other = await calls.guests(2)
        await owner.create(match_id="open")
        hidden = (await other.create(**HIDDEN)).info.match_id

        of_hidden = await told_in(state, hidden, calls, server)

        assert of_hidden == await told_in(state, NOWHERE, calls, server)


async def test_a_match_that_is_known_to_hide_fails_as_the_store_does() -> None:
    store = TornStore()
    hidden = HiddenMatches(store)
    store.can_read = False
    for error in (match_not_found(), MatchHidden("m")):
        assert isinstance(await hidden.disguised(error), StoreUnavailable)
    store.can_read = True
    for told in (match_not_found(), MatchHidden("m"), MatchMissing("m")):
        assert await hidden.disguised(told) is told
