"""Matches that everybody forgot, as clients see them end."""

from durak_server.pb.durak.v1 import event_pb2, match_pb2
from tests.fake_time import FakeTime
from tests.live_server import connected, metric, server_at, started_match


async def test_an_open_match_that_nobody_fills_ends_for_those_who_follow_it() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, open_match_seconds=600) as server,
        connected(server) as calls,
    ):
        owner = await calls.guest()
        match_id = (await owner.create()).info.match_id
        updates = owner.follow(match_id)
        last = (await anext(updates)).sequence
        time.advance(600)
        update = await anext(updates)
        (event,) = update.events
        assert (event.sequence, update.is_final) == (last + 1, True)
        assert event.match_abandoned.reason == event_pb2.ABANDON_REASON_EXPIRED
        assert [update async for update in updates] == []
        assert (await owner.look(match_id)).info.status == match_pb2.MATCH_STATUS_ABANDONED
        assert list((await owner.my_matches()).matches) == []
        assert metric(server, "durak_matches_expired_total", status="OPEN") == 1


async def test_a_match_of_bots_whose_only_human_never_moves_ends_soon() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, timeouts_in_a_row=6) as server,
        connected(server) as calls,
    ):
        owner = await calls.guest()
        rules = {"deals": 0, "turn_seconds": 1}
        match_id = await started_match(6, [owner], rules=rules)
        events: list[event_pb2.Event] = []
        async for update in owner.follow(match_id):
            events += update.events
            time.advance(2)
        first = next(at for at, event in enumerate(events) if event.HasField("deal_ended"))
        assert sum(event.HasField("time_ran_out") for event in events[first:]) == 6
        assert events[-1].match_abandoned.reason == event_pb2.ABANDON_REASON_EXPIRED
        assert metric(server, "durak_matches_expired_total", status="PLAYING") == 1


async def test_matches_expire_minute_by_minute() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, playing_match_seconds=90, open_match_seconds=30) as server,
        connected(server) as calls,
    ):
        owner = await calls.guest()
        for passes in (1, 2):
            match_id = (await owner.create()).info.match_id
            updates = owner.follow(match_id)
            await anext(updates)
            time.advance(60)
            assert (await anext(updates)).is_final
            assert metric(server, "durak_matches_expired_total", status="OPEN") == passes
