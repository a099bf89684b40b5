"""Leaving during the play as clients see it (rules.md, 8.7)."""

import pytest

from durak_server.pb.durak.v1 import match_pb2, replay_service_pb2, rules_pb2, view_pb2
from tests.live_server import Guest, connected, first_move, running_server, started_match

PRESETS = sorted(set(rules_pb2.Preset.keys()) - {"PRESET_UNSPECIFIED"})

ONE_AT_A_TIME = {
    "leave": "LEAVE_POLICY_BOT",
    "throw_in_timing": "THROW_IN_TIMING_AFTER_COVERED",
}


@pytest.mark.parametrize("preset", PRESETS)
async def test_every_preset_can_be_played(preset: str) -> None:
    async with running_server() as server, connected(server) as calls:
        players = await calls.guests(3)
        match_id = await started_match(3, players, preset=preset)
        info = (await players[2].look(match_id)).info
    assert (info.status, info.deal) == (match_pb2.MATCH_STATUS_PLAYING, 1)


async def test_those_who_stay_are_dealt_new_cards() -> None:
    async with running_server() as server, connected(server) as calls:
        players = await calls.guests(3)
        match_id = await started_match(3, players, preset="PRESET_PODKIDNOY_FOLK")
        sequence = (await players[0].view(match_id)).sequence
        await players[1].leave(match_id)
        update = await anext(players[0].follow(match_id, sequence))
    kinds = [event.WhichOneof("kind") for event in update.events]
    assert kinds == [
        *("player_left", "deal_ended", "seed_revealed", "deal_started", "bout_started"),
        "deal_committed",
    ]
    void, dealt = update.events[1].deal_ended.result, update.events[3].deal_started
    assert void == view_pb2.DealResult(reason=view_pb2.DEAL_END_VOID)
    assert (dealt.deal, list(dealt.seats), len(dealt.hand)) == (1, [0, 2], 6)
    seats = update.view.deal.seats
    assert [(seat.hand_size, seat.is_out) for seat in seats] == [(6, False), (0, True), (6, False)]


async def test_the_house_plays_on_and_the_leaver_sees_the_hand_no_more() -> None:
    async with running_server() as server, connected(server) as calls:
        stays, leaves = await calls.guests(2)
        match_id = await started_match(2, [stays, leaves], rules=ONE_AT_A_TIME)
        await leaves.leave(match_id)
        assert await hands_seen(leaves, match_id) == []
        while (view := await stays.view(match_id)).status == match_pb2.MATCH_STATUS_PLAYING:
            if view.legal_moves:
                await stays.move(match_id, first_move(view))
            else:
                await something_new(stays, match_id, view.sequence)
    assert view.deal.phase == view_pb2.PHASE_OVER
    assert view.seats[1].has_left


async def something_new(guest: Guest, match_id: str, sequence: int) -> None:
    """Return once something has happened after a sequence."""
    async for update in guest.follow(match_id, sequence):
        if update.events:
            return


async def hands_seen(guest: Guest, match_id: str) -> list[object]:
    """Return every hand and drawn card that a player is shown of a match in play."""
    view = await guest.view(match_id)
    assert not view.HasField("seat")
    update = await anext(guest.follow(match_id))
    request = replay_service_pb2.GetReplayRequest(match_id=match_id)
    replay = await guest.calls.replay.GetReplay(request, metadata=guest.metadata)
    hands = [list(seat.hand) for seat in (*view.deal.seats, *update.view.deal.seats)]
    hands += [list(event.deal_started.hand) for event in (*update.events, *replay.events)]
    return [hand for hand in hands if hand]
