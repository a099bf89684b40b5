"""Rematches as clients have them."""

import asyncio

import grpc

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import event_pb2, match_pb2
from tests.fake_time import FakeTime
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    play_to_the_end,
    running_server,
    server_at,
    started_match,
)


async def finished_match(players: list[Guest], seats: int = 2) -> str:
    """Play a match to its end and return its id."""
    match_id = await started_match(seats, players)
    await play_to_the_end(match_id, players)
    return match_id


async def rematch_kinds(guest: Guest, match_id: str, after: int) -> list[event_pb2.Event]:
    """Follow a match and its rematch to the end of the stream."""
    updates = guest.follow(match_id, after, follow_rematch=True)
    return [event async for update in updates for event in update.events]


async def test_who_follows_hears_of_the_offer_and_of_the_new_match(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await finished_match(players)
    last = (await players[0].view(match_id)).sequence
    following = asyncio.create_task(rematch_kinds(players[0], match_id, last))
    assert await players[1].rematch(match_id) == ""
    next_id = await players[0].rematch(match_id)
    offered, accepted, made = await following
    assert (offered.rematch_offered.seat, accepted.rematch_offered.seat) == (1, 0)
    assert made.rematch_made.match_id == next_id
    old, new = (await players[0].look(match_id)).info, (await players[0].look(next_id)).info
    assert (old.next_match_id, old.previous_match_id) == (next_id, "")
    assert (new.next_match_id, new.previous_match_id) == ("", match_id)
    assert new.status == match_pb2.MATCH_STATUS_PLAYING
    seated = [[seat.player_id for seat in info.seats] for info in (old, new)]
    assert seated[0] == seated[1]
    (listed,) = (await players[1].my_matches()).matches
    assert (listed.match_id, listed.previous_match_id) == (next_id, match_id)
    await play_to_the_end(next_id, players)


async def test_one_human_and_bots_have_a_rematch_at_once_and_the_bots_play(calls: Calls) -> None:
    players = await calls.guests(1)
    match_id = await finished_match(players, seats=3)
    next_id = await players[0].rematch(match_id)
    assert next_id
    await play_to_the_end(next_id, players)


async def test_without_asking_for_it_a_stream_ends_with_the_match(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await finished_match(players)
    events = await players[0].followed(match_id)
    assert events[-1].WhichOneof("kind") == "match_finished"
    await players[0].rematch(match_id)
    events = await players[0].followed(match_id)
    assert events[-1].WhichOneof("kind") == "rematch_offered"


async def test_a_stream_waits_for_a_rematch_no_longer_than_it_is_told() -> None:
    time = FakeTime()
    async with (
        server_at(time.keeper, rematch_seconds=30, heartbeat_seconds=0.05) as server,
        connected(server) as calls,
    ):
        players = await calls.guests(2)
        match_id = await finished_match(players)
        updates = players[0].follow(match_id, follow_rematch=True)
        time.advance(29)
        assert not (await anext(updates)).is_final
        time.advance(1)
        *_, last = [update async for update in updates]
        assert last.is_final
        assert await players[0].rematch(match_id) == ""
        assert await players[1].rematch(match_id)


async def test_a_rematch_is_refused_with_a_reason(server: DurakServer, calls: Calls) -> None:
    players = await calls.guests(3)
    playing = await started_match(2, players[:2])
    not_over = await failure_of(players[0].rematch(playing))
    assert (not_over.code, not_over.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "MATCH_NOT_OVER",
    )
    stranger = await failure_of(players[2].rematch(playing))
    assert (stranger.code, stranger.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_SEATED")
    missing = await failure_of(players[0].rematch("nothing"))
    assert (missing.code, missing.reason) == (grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")


async def test_who_sits_at_as_many_matches_as_he_may_has_no_rematch() -> None:
    async with running_server(matches_per_player=1) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await finished_match(players)
        await players[1].rematch(match_id)
        await players[1].create()
        await players[0].create()
        assert (await failure_of(players[0].rematch(match_id))).reason == "TOO_MANY_MATCHES"
        assert await players[1].rematch(match_id) == ""


async def test_a_repeated_call_counts_once(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await finished_match(players)
    before = (await players[0].view(match_id)).sequence
    for _ in range(2):
        assert await players[0].rematch(match_id, request_id="again") == ""
    assert (await players[0].view(match_id)).sequence == before + 1
