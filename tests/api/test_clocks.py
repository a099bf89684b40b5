"""Clocks as clients see them, by a time that only the test moves (rules.md, 15)."""

from datetime import UTC, timedelta
from pathlib import Path

from durak_server.pb.durak.v1 import event_pb2, view_pb2
from tests.fake_time import NOON, FakeTime
from tests.live_server import Guest, connected, first_move, server_at, started_match

AUTO = {"turn_seconds": 30, "bank_seconds": 15}


def on_clock(view: view_pb2.View) -> dict[int, float]:
    """Return when each seat's time is over, in seconds after noon."""
    return {
        seat.seat: (seat.deadline.ToDatetime(tzinfo=UTC) - NOON).total_seconds()
        for seat in view.deal.seats
        if seat.HasField("deadline")
    }


async def events_after(guest: Guest, match_id: str, sequence: int) -> list[event_pb2.Event]:
    """Return the events after a sequence, once there are some."""
    async for update in guest.follow(match_id, sequence):
        if update.events:
            return list(update.events)
    raise AssertionError("the stream ended")


async def test_a_view_tells_whose_time_runs_until_when_and_his_reserve() -> None:
    time = FakeTime()
    async with server_at(time.keeper) as server, connected(server) as calls:
        players = await calls.guests(3)
        match_id = await started_match(3, players, rules=AUTO)
        view = await players[0].view(match_id)
        leader = view.deal.leader
        assert on_clock(view) == {leader: 45}
        banks = [seat.bank_left.ToTimedelta() for seat in view.deal.seats]
        assert banks == [timedelta(seconds=15)] * 3

        time.advance(10)
        moved = await players[leader].move(
            match_id, first_move(await players[leader].view(match_id))
        )
        (set_,) = (event.clocks_set for event in moved.events if event.HasField("clocks_set"))
        assert [clock.seat for clock in set_.clocks] == [view.deal.defender]
        assert on_clock(await players[0].view(match_id)) == {view.deal.defender: 55}


async def test_a_match_without_a_clock_shows_none() -> None:
    time = FakeTime()
    async with server_at(time.keeper) as server, connected(server) as calls:
        players = await calls.guests(2)
        view = await players[0].view(await started_match(2, players))
        assert on_clock(view) == {}
        assert not any(seat.HasField("bank_left") for seat in view.deal.seats)


async def test_who_does_not_move_in_time_has_a_move_made_for_him() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, lag_allowance_seconds=2) as server,
        connected(server) as calls,
    ):
        players = await calls.guests(2)
        match_id = await started_match(2, players, rules=AUTO)
        view = await players[0].view(match_id)
        assert time.advance(46) == 0
        assert time.advance(1) == 1
        out, led, clocks = await events_after(players[1], match_id, view.sequence)
        assert out.time_ran_out.seat == led.led.seat == view.deal.leader
        assert clocks.clocks_set.clocks[0].seat == view.deal.defender


async def test_in_online_matches_who_is_too_slow_loses() -> None:
    time = FakeTime()
    async with server_at(time.keeper) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players, preset="PRESET_ONLINE")
        view = await players[0].view(match_id)
        time.advance(31)
        events = await players[0].followed(match_id, view.sequence)
        kinds = [event.WhichOneof("kind") for event in events]
        assert kinds == [
            "time_ran_out",
            "bout_ended",
            "forfeited",
            "deal_ended",
            "seed_revealed",
            "match_finished",
        ]
        assert list(events[3].deal_ended.result.fools) == [view.deal.leader]


async def test_a_restart_costs_nobody_any_time_and_tells_so(tmp_path: Path) -> None:
    time = FakeTime()
    settings = {"store": "sqlite", "data": tmp_path, "token_secret": "s" * 32}
    async with server_at(time.keeper, **settings) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players, preset="PRESET_ONLINE")
        before = await players[0].view(match_id)
        time.advance(20)
    time.advance(600)
    async with server_at(time.keeper, **settings) as server, connected(server) as calls:
        player = Guest(calls, "", players[0].player_id, players[0].token)
        (credited,) = await events_after(player, match_id, before.sequence)
        credit = credited.clock_credited
        assert (credit.seat, credit.credit.ToTimedelta()) == (
            before.deal.leader,
            timedelta(seconds=620 + 10),
        )
        assert credit.reason == event_pb2.CREDIT_REASON_RESTART
        assert on_clock(await player.view(match_id)) == {before.deal.leader: 650 + 10}
