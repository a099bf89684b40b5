"""Which calls a token opens, by its scopes."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from grpc import StatusCode, aio

from durak_server.api.callers import Caller, Scope
from durak_server.api.server import SERVICES
from durak_server.api.tokens import Tokens
from durak_server.app import DurakServer
from tests.live_server import Calls, Failure, connected, read_failure, running_server

SECRET = "a secret of at least thirty-two characters"
METHODS = {
    method.full_name: method
    for service in SERVICES
    for method in Default().FindServiceByName(service).methods
}
FREE = {"durak.v1.AuthService.CreateGuest"}
WATCHING = {
    "durak.v1.LobbyService.ListMatches",
    "durak.v1.LobbyService.ListMyMatches",
    "durak.v1.LobbyService.WatchLobby",
    "durak.v1.PlayService.GetView",
    "durak.v1.PlayService.StreamEvents",
    "durak.v1.ReplayService.ExportGame",
    "durak.v1.ReplayService.GetReplay",
    "durak.v1.ReplayService.GetViewAt",
}
PLAYING = METHODS.keys() - FREE - WATCHING
OPENED = [
    ("play", WATCHING | PLAYING),
    ("bot", WATCHING | PLAYING),
    ("watch", WATCHING),
    ("admin", set()),
    ("openid email", set()),
    ("watch bot", WATCHING | PLAYING),
]


def token_for(scopes: str) -> str:
    """Return a token with these scopes, good for an hour."""
    known = frozenset(Scope(word) for word in scopes.split() if word in set(Scope))
    soon = datetime.now(UTC) + timedelta(hours=1)
    tokens = Tokens(SECRET, timedelta(hours=1), lambda: datetime.now(UTC))
    return tokens.sign(Caller("anna", "Anna", known, soon.timestamp()))


@pytest.fixture
async def server() -> AsyncIterator[DurakServer]:
    async with running_server(token_secret=SECRET) as server:
        yield server


async def answer_of(calls: Calls, method: MethodDescriptor, token: str) -> Failure | None:
    """Call a method with an empty request; return how it fails, if it does at once."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = (("authorization", f"Bearer {token}"),)
    call: aio.UnaryStreamCall[bytes, bytes] | aio.StreamStreamCall[bytes, bytes]
    if method.client_streaming:
        # It is let in or not before it says anything.
        streaming: aio.StreamStreamMultiCallable[bytes, bytes]
        streaming = calls.channel.stream_stream(path)
        call = streaming(metadata=metadata)
    else:
        # One answer is a stream of one.
        asking: aio.UnaryStreamMultiCallable[bytes, bytes] = calls.channel.unary_stream(path)
        call = asking(b"", metadata=metadata)
    try:
        await call.read()
    except aio.AioRpcError as error:
        return read_failure(error)
    call.cancel()
    return None


@pytest.mark.parametrize(("scopes", "opened"), OPENED)
async def test_a_token_opens_the_calls_of_its_scopes(
    server: DurakServer, scopes: str, opened: set[str]
) -> None:
    token = token_for(scopes)
    async with connected(server) as calls:
        answers = {
            name: await answer_of(calls, method, token)
            for name, method in METHODS.items()
            if name not in FREE
        }

    refused = {
        name: answer
        for name, answer in answers.items()
        if answer and answer.reason == "SCOPE_MISSING"
    }
    assert refused.keys() == (WATCHING | PLAYING) - opened
    for name, answer in refused.items():
        scope = "watch" if name in WATCHING else "play"
        assert answer == Failure(
            StatusCode.PERMISSION_DENIED,
            "SCOPE_MISSING",
            f"The token lacks the scope {scope}.",
            {"scope": scope},
        )


async def test_a_guest_may_play(calls: Calls) -> None:
    guest = await calls.guest()

    assert (await guest.create()).info.seats[0].player_id == guest.player_id
