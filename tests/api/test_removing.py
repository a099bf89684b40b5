"""A player whom the owner removes hears of it, whatever he may see afterwards."""

import pytest
from grpc import StatusCode, aio

from durak_server.pb.durak.v1 import event_pb2, match_pb2
from tests.live_server import Calls, Guest, failure_of, read_failure


async def two_at(calls: Calls, **fields: str) -> tuple[Guest, Guest, str]:
    """Return the owner of a match of three, who joined it by its code, and its id."""
    owner, other = await calls.guests(2)
    info = (await owner.create(rules={"seats": 3}, **fields)).info
    await other.join(invite_code=info.invite_code)
    return owner, other, info.match_id


async def test_a_removed_player_is_told_on_his_stream_and_watches_on(calls: Calls) -> None:
    owner, other, match_id = await two_at(calls)
    updates = other.follow(match_id)
    seen = (await anext(updates)).sequence

    info = await owner.remove(match_id, other.player_id)

    (left,) = (await anext(updates)).events
    assert (left.sequence, left.player_left) == (
        seen + 1,
        event_pb2.PlayerLeft(
            seat=1, player_id=other.player_id, reason=event_pb2.LEAVE_REASON_REMOVED
        ),
    )
    assert info.seats[1] == match_pb2.Seat(seat=1)
    assert (await other.my_matches()).matches == []
    await updates.aclose()


async def test_a_stream_that_he_may_not_follow_any_more_ends_with_the_reason(
    calls: Calls,
) -> None:
    hidden = {"visibility": "VISIBILITY_UNLISTED", "spectators": "SPECTATORS_NONE"}
    owner, other, match_id = await two_at(calls, **hidden)
    updates = other.follow(match_id)
    await anext(updates)

    await owner.remove(match_id, other.player_id)

    with pytest.raises(aio.AioRpcError) as ended:
        await anext(updates)
    failure = read_failure(ended.value)
    assert (failure.code, failure.reason) == (StatusCode.PERMISSION_DENIED, "PLAYER_REMOVED")


async def test_he_cannot_come_back_by_the_id_or_the_code_he_knows(calls: Calls) -> None:
    owner, other, match_id = await two_at(calls)
    code = (await owner.look(match_id)).info.invite_code
    await owner.remove(match_id, other.player_id)

    for attempt in (other.join(match_id), other.join(invite_code=code)):
        failure = await failure_of(attempt)
        assert (failure.code, failure.reason) == (StatusCode.PERMISSION_DENIED, "PLAYER_REMOVED")


async def test_a_repeated_removal_gets_its_first_answer(calls: Calls) -> None:
    owner, other, match_id = await two_at(calls)

    first = await owner.remove(match_id, other.player_id, request_id="out")

    assert await owner.remove(match_id, other.player_id, request_id="out") == first
    again = await failure_of(owner.remove(match_id, other.player_id, request_id="again"))
    assert again.reason == "PLAYER_NOT_SEATED"


async def test_the_owner_does_not_remove_himself(calls: Calls) -> None:
    owner, _, match_id = await two_at(calls)

    failure = await failure_of(owner.remove(match_id, owner.player_id))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("player_id",))
