"""Players who say that they are ready, over the wire."""

from grpc import StatusCode

from durak_server.pb.durak.v1 import match_pb2
from tests.live_server import Calls, failure_of


async def test_the_match_waits_until_all_have_said_that_they_are_ready(calls: Calls) -> None:
    owner, other = await calls.guests(2)
    made = (await owner.create(require_ready=True)).info
    await other.join(made.match_id)
    assert made.require_ready

    failure = await failure_of(owner.start(made.match_id))
    stream = owner.follow(made.match_id)
    await anext(stream)
    said = await other.set_ready(made.match_id, is_ready=True, request_id="ready")
    (event,) = (await anext(stream)).events
    started = await owner.start(made.match_id)

    assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, "PLAYERS_NOT_READY")
    assert failure.metadata == {"seats": "1"}
    assert [seat.is_ready for seat in said.seats] == [False, True]
    assert (event.ready_changed.seat, event.ready_changed.is_ready) == (1, True)
    assert started.status == match_pb2.MATCH_STATUS_PLAYING
    assert await other.set_ready(made.match_id, is_ready=True, request_id="ready") == said
    await stream.aclose()


async def test_the_last_who_is_ready_starts_a_match_that_starts_when_full(calls: Calls) -> None:
    owner, other = await calls.guests(2)
    match_id = (await owner.create(require_ready=True, start_when_full=True)).info.match_id
    await owner.set_ready(match_id, is_ready=True)
    joined = await other.join(match_id)

    info = await other.set_ready(match_id, is_ready=True)

    assert joined.info.status == match_pb2.MATCH_STATUS_OPEN
    assert info.status == match_pb2.MATCH_STATUS_PLAYING
    assert (await owner.view(match_id)).deal.number == 1


async def test_a_quick_player_is_not_sat_where_he_would_have_to_say_it(calls: Calls) -> None:
    owner, other = await calls.guests(2)
    await owner.create(require_ready=True)

    assert (await other.quick()).is_new
