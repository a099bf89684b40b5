"""Invite codes over the wire, by a clock that stands still."""

from datetime import timedelta

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode

from tests.fake_time import NOON, FakeTime
from tests.live_server import Calls, connected, failure_of, server_at

HIDDEN = {"visibility": "VISIBILITY_UNLISTED", "spectators": "SPECTATORS_NONE"}


async def test_a_code_is_taken_for_a_day_unless_its_maker_asks_for_another_time() -> None:
    time = FakeTime()
    async with server_at(time.keeper) as server, connected(server) as calls:
        owner, friend = await calls.guests(2)
        usual = (await owner.create(**HIDDEN)).info
        short = (await owner.create(invite_lifetime=Duration(seconds=60), **HIDDEN)).info

        time.now += timedelta(minutes=1)
        expired = await failure_of(friend.join(invite_code=short.invite_code.lower()))
        wrong = await failure_of(friend.join(invite_code="WRONG"))
        joined = await friend.join(invite_code=usual.invite_code)

    assert usual.invite_expires_at.ToDatetime() == (NOON + timedelta(days=1)).replace(tzinfo=None)
    assert short.invite_expires_at.ToDatetime() == (NOON + timedelta(minutes=1)).replace(
        tzinfo=None
    )
    assert (expired.code, expired.reason) == (StatusCode.FAILED_PRECONDITION, "INVITE_EXPIRED")
    assert (wrong.code, wrong.reason) == (StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")
    assert joined.seat == 1


async def test_the_usual_life_is_a_setting() -> None:
    time = FakeTime()
    async with server_at(time.keeper, invite_seconds=90) as server, connected(server) as calls:
        owner, friend = await calls.guests(2)
        made = [(await owner.create()).info, (await owner.quick(rules={"seats": 3})).info]
        time.now += timedelta(seconds=90)
        failures = [await failure_of(friend.join(invite_code=info.invite_code)) for info in made]

    assert [failure.reason for failure in failures] == ["INVITE_EXPIRED"] * 2


async def test_the_owner_makes_another_code_and_the_last_leads_nowhere(calls: Calls) -> None:
    owner, friend, stranger = await calls.guests(3)
    made = (await owner.create(rules={"seats": 3}, **HIDDEN)).info

    renewed = await owner.renew_invite(made.match_id, request_id="renew")

    assert renewed.invite_code != made.invite_code
    assert (await failure_of(friend.join(invite_code=made.invite_code))).reason == (
        "MATCH_NOT_FOUND"
    )
    assert (await friend.join(invite_code=renewed.invite_code)).seat == 1
    assert (await friend.look(made.match_id)).info.invite_code == renewed.invite_code
    assert await owner.renew_invite(made.match_id, request_id="renew") == renewed
    assert (await failure_of(friend.renew_invite(made.match_id))).reason == "NOT_OWNER"
    assert (await failure_of(stranger.renew_invite(made.match_id))).reason == "MATCH_NOT_FOUND"


async def test_no_stream_and_no_list_shows_the_new_code_to_others(calls: Calls) -> None:
    owner, watcher = await calls.guests(2)
    match_id = (await owner.create()).info.match_id
    stream = watcher.follow(match_id)
    await anext(stream)

    code = (await owner.renew_invite(match_id)).invite_code

    update = await anext(stream)
    assert update.events[0].WhichOneof("kind") == "invite_renewed"
    listed = (await watcher.matches()).matches[0]
    assert code not in str(update) + str(listed)
    assert not listed.HasField("invite_expires_at")
    await stream.aclose()


BAD_LIVES = [Duration(seconds=59), Duration(seconds=30 * 86_400 + 1), Duration(seconds=-60)]


@pytest.mark.parametrize("life", BAD_LIVES)
async def test_a_life_out_of_its_bounds_is_refused(calls: Calls, life: Duration) -> None:
    owner = await calls.guest()
    match_id = (await owner.create()).info.match_id

    for attempt in (
        owner.create(invite_lifetime=life),
        owner.renew_invite(match_id, invite_lifetime=life),
    ):
        failure = await failure_of(attempt)
        assert (failure.code, failure.fields) == (
            StatusCode.INVALID_ARGUMENT,
            ("invite_lifetime",),
        )
