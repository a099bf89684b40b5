"""One stream of the client for many matches, over good and bad networks."""

import asyncio

import pytest

from durak_client import (
    Client,
    ClientClosed,
    Event,
    Lost,
    Match,
    NotFound,
    RuleRefused,
    View,
    play,
    play_many,
)
from durak_client.matches import MatchStatus
from durak_client.moves import Move, MoveKind
from tests.client.players import Chooser, match_with_bot, player, whole_log
from tests.client.relays import wire_to
from tests.live_server import running_server


async def matches_with_bots(client: Client, number: int) -> list[Match]:
    return [await match_with_bot(client) for _ in range(number)]


async def events_of(match: Match) -> list[Event]:
    return [event async for update in match.follow() for event in update.events]


async def test_many_matches_are_played_to_their_ends() -> None:
    async with running_server() as server, player(server.port) as client:
        matches = await matches_with_bots(client, 20)

        ends = await play_many(client, matches, Chooser(1))

        assert [end.match_id for end in ends] == [match.match_id for match in matches]
        assert {end.status for end in ends} == {MatchStatus.FINISHED}


async def test_cut_connections_lose_and_repeat_nothing_in_any_match() -> None:
    async with (
        running_server() as server,
        player(server.port) as client,
        wire_to(server.port) as wire,
        player(wire.port, token=client.token) as far,
    ):
        matches = await matches_with_bots(client, 4)
        lost: list[Lost] = []
        moves = 0
        choose = Chooser(2)

        def cutting(view: View) -> Move:
            nonlocal moves
            moves += 1
            if moves % 10 == 0:
                wire.cut()
            return choose(view)

        async with far.stream(lost.append) as stream, client.stream() as near:
            watched = [asyncio.create_task(events_of(near.match(match))) for match in matches]
            games = [play(far, stream.match(match), cutting) for match in matches]
            await asyncio.gather(*games)
            seen = await asyncio.gather(*watched)

        assert seen == [await whole_log(match) for match in matches]
        assert lost


async def test_a_refused_move_and_a_match_that_is_not_there_leave_the_others_alone() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        async with client.stream() as stream:
            updates = stream.match(match).follow()
            await anext(updates)
            with pytest.raises(RuleRefused) as refused:
                await stream.match(match).move(Move(MoveKind.CLAIM_REDEAL))
            with pytest.raises(NotFound):
                await anext(stream.match("nowhere").follow())
            with pytest.raises(ValueError, match="is being followed on this stream"):
                await anext(stream.match(match).follow())
            await match.leave()
            assert [u.is_final async for u in updates][-1]
        assert refused.value.reason == "REDEAL_DISABLED"


async def test_a_match_is_followed_again_after_its_follower_left() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        async with client.stream() as stream:
            firsts = []
            for _ in range(5):
                updates = stream.match(match).follow()
                firsts.append((await anext(updates)).events[0].sequence)
                await updates.aclose()
        assert firsts == [1] * 5


async def test_a_closed_stream_says_so() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        async with client.stream() as stream:
            updates = stream.match(match).follow()
            await anext(updates)
        with pytest.raises(ClientClosed, match="the stream was closed"):
            _ = [update async for update in updates]
        with pytest.raises(ClientClosed, match="the stream was closed"):
            await stream.match(match).move(Move(MoveKind.TAKE))
