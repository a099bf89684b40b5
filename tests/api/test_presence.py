"""Presence as clients see it, by a time that only the test moves."""

from durak_server.pb.durak.v1 import event_pb2, match_pb2
from tests.fake_time import FakeTime
from tests.live_server import Guest, connected, server_at, started_match


async def presence_told(guest: Guest, match_id: str, after: int) -> event_pb2.Event:
    """Return the next event of presence after a sequence."""
    async for update in guest.follow(match_id, after):
        for event in update.events:
            if event.HasField("presence_changed"):
                return event
    raise AssertionError("the stream ended")


async def test_the_table_is_told_who_goes_away_comes_back_and_leaves() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, presence_grace_seconds=20) as server,
        connected(server) as calls,
    ):
        stays, goes = await calls.guests(2)
        match_id = await started_match(2, [stays, goes], rules={"deals": 2})
        assert await presences(stays, match_id) == ["CONNECTED", "CONNECTED"]
        stream = stays.follow(match_id)
        last = (await anext(stream)).sequence

        time.advance(20)
        away = await presence_told(stays, match_id, last)
        assert away.presence_changed == event_pb2.PresenceChanged(
            seat=1, presence=match_pb2.PRESENCE_AWAY
        )
        assert await presences(stays, match_id) == ["CONNECTED", "AWAY"]

        await goes.view(match_id)
        back = await presence_told(stays, match_id, away.sequence)
        assert back.presence_changed == event_pb2.PresenceChanged(
            seat=1, presence=match_pb2.PRESENCE_CONNECTED
        )
        await goes.leave(match_id)
        assert await presences(stays, match_id) == ["CONNECTED", "LEFT"]
        await stream.aclose()


async def presences(guest: Guest, match_id: str) -> list[str]:
    """Return the presence of each seat as the match and its view tell it."""
    look = await guest.look(match_id)
    told = [match_pb2.Presence.Name(seat.presence) for seat in look.info.seats]
    assert told == [match_pb2.Presence.Name(seat.presence) for seat in look.view.seats]
    return [name.removeprefix("PRESENCE_") for name in told]
