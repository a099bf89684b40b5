"""A token expires: what runs goes on, and nothing is begun with it any more."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import pytest
from grpc import StatusCode

from durak_server.api.callers import Caller, Scope
from durak_server.api.tokens import Tokens
from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import error_pb2
from tests.api.one_stream import by_turn, follow, move, one_stream, unfollow
from tests.fake_time import NOON, FakeTime
from tests.live_server import Calls, Guest, failure_of, first_move, server_at, started_match

SECRET = "a secret of at least thirty-two characters"
EXPIRED = error_pb2.Refusal(
    code=StatusCode.UNAUTHENTICATED.value[0],
    reason="TOKEN_EXPIRED",
    message="The token's time is over.",
)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
async def server(time: FakeTime) -> AsyncIterator[DurakServer]:
    async with server_at(time.keeper, token_secret=SECRET, token_lifetime_seconds=3600) as server:
        yield server


def with_new_token(guest: Guest) -> Guest:
    """Return the guest with a token that is good for two hours from noon."""
    until = (NOON + timedelta(hours=2)).timestamp()
    caller = Caller(guest.player_id, guest.name, frozenset({Scope.PLAY}), until)
    tokens = Tokens(SECRET, timedelta(hours=1), lambda: NOON)
    return replace(guest, token=tokens.sign(caller))


async def test_a_stream_of_events_survives_its_token_and_a_new_call_does_not(
    calls: Calls, time: FakeTime
) -> None:
    guests = await calls.guests(2)
    match_id = await started_match(2, guests)
    mover, watcher = await by_turn(match_id, guests)
    async with aclosing(watcher.follow(match_id)) as updates:
        sequence = (await anext(updates)).sequence
        time.advance(3600)

        assert (await failure_of(watcher.look(match_id))).reason == "TOKEN_EXPIRED"
        mover = with_new_token(mover)
        made = await mover.move(match_id, first_move(await mover.view(match_id)))
        while sequence < made.sequence:
            sequence = (await anext(updates)).sequence


async def test_commands_of_a_stream_end_with_its_token_and_its_updates_do_not(
    calls: Calls, time: FakeTime
) -> None:
    guests = await calls.guests(2)
    match_id = await started_match(2, guests)
    mover, _ = await by_turn(match_id, guests)
    first = first_move(await mover.view(match_id))
    async with one_stream(mover) as stream:
        await stream.ask(follow(match_id))
        time.advance(3600)

        answers = await stream.ask(move(match_id, first), follow(match_id), unfollow(match_id))
        assert [answer.refusal for answer in answers] == [EXPIRED] * 3

        made = await with_new_token(mover).move(match_id, first)
        while made.sequence not in [update.sequence for update in stream.updates]:
            await stream.read()

        async with one_stream(with_new_token(mover)) as another:
            (followed,) = await another.ask(follow(match_id))
            assert followed.HasField("followed")
