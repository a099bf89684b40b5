"""Players who lose their connection, or their server, and come back."""

import asyncio
from pathlib import Path

from grpc import aio

from durak_server.pb.durak.v1 import view_pb2
from tests.live_server import Calls, Guest, connected, running_server, started_match
from tests.server_process import served


def on(calls: Calls, guest: Guest) -> Guest:
    """The same player on another connection."""
    return Guest(calls, guest.name, guest.player_id, guest.token)


def hands_in(view: view_pb2.View) -> dict[int, list[int]]:
    """The cards that a view shows, by seat."""
    return {seat.seat: list(seat.hand) for seat in view.deal.seats if seat.hand}


async def hands_shown_to(guest: Guest, match_id: str) -> dict[int, list[int]]:
    """The hands that a stream begun anew shows to a player."""
    stream = guest.follow(match_id)
    update = await anext(stream)
    await stream.aclose()
    return hands_in(update.view)


async def test_on_swapped_connections_everybody_sees_his_own_hand() -> None:
    async with (
        running_server() as server,
        connected(server) as one,
        connected(server) as other,
    ):
        players = [await one.guest("Vasya"), await other.guest("Boris")]
        match_id = await started_match(2, players)
        hands = [await hands_shown_to(player, match_id) for player in players]
        swapped = [on(other, players[0]), on(one, players[1])]
        together = [on(one, player) for player in players]

        assert [list(hand) for hand in hands] == [[0], [1]]
        for back in (swapped, together):
            seen = await asyncio.gather(*(hands_shown_to(player, match_id) for player in back))
            assert seen == hands
            assert [hands_in(await player.view(match_id)) for player in back] == hands


async def test_after_a_crash_a_player_finds_his_matches_and_joins_them_again(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server:
        async with aio.insecure_channel(server.target) as channel:
            players = await Calls(channel).guests(2)
            played = await started_match(2, players)
            waiting = (await players[0].create()).info.match_id
            before = await players[0].view(played)
        await asyncio.to_thread(server.restart)
        async with aio.insecure_channel(server.target) as channel:
            back = on(Calls(channel), players[0])

            found = {info.match_id for info in (await back.my_matches()).matches}
            joined = [await back.join(match_id) for match_id in sorted(found)]

            assert found == {played, waiting}
            assert {answer.seat for answer in joined} == {0}
            assert await back.view(played) == before
