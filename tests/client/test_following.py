"""Followers see every event once and in order, whatever happens to their connections."""

import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest

from durak_client import (
    Client,
    ClientClosed,
    Denied,
    Event,
    Lost,
    Match,
    NotFound,
    Patience,
    Refused,
    Unauthenticated,
    Update,
    play,
)
from durak_client.pb.durak.v1 import play_service_pb2
from tests.client.players import QUICK, Chooser, match_with_bot, player, whole_log
from tests.client.relays import Misdeeds, Updates, relay_to, wire_to
from tests.live_server import running_server


async def all_updates(match: Match, lost: list[Lost]) -> list[Update]:
    return [update async for update in match.follow(on_lost=lost.append)]


async def followed(match: Match, lost: list[Lost]) -> list[Event]:
    updates = await all_updates(match, lost)
    return [event for update in updates for event in update.events]


async def test_a_follower_sees_a_match_from_its_making_to_its_end() -> None:
    async with running_server() as server, player(server.port) as client:
        match = await match_with_bot(client)
        end = await play(client, match, Chooser(1))
        events = await whole_log(match)
        assert [event.sequence for event in events] == list(range(1, end.sequence + 1))
        kinds = [event.kind for event in events]
        assert kinds[:7] == [
            "match_created",
            "player_joined",
            "deal_committed",
            "seed_added",
            "player_joined",
            "match_started",
            "deal_started",
        ]
        assert kinds[-3:] == ["deal_ended", "seed_revealed", "match_finished"]


async def test_cut_connections_lose_and_repeat_nothing() -> None:
    async with (
        running_server() as server,
        player(server.port) as client,
        wire_to(server.port) as wire,
        player(wire.port, token=client.token) as follower,
    ):
        match = await match_with_bot(client)
        lost: list[Lost] = []
        seen: list[Event] = []

        async def follow() -> None:
            async for update in follower.follow(match.match_id, on_lost=lost.append):
                seen.extend(update.events)
                wire.cut()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow())
            tasks.create_task(play(client, match, Chooser(2)))
        assert seen == await whole_log(match)
        assert lost


async def doubled_then_broken(updates: Updates, connection: int) -> Updates:
    """Send updates twice; lose one; end early without an error; then behave."""
    count = 0
    async for update in updates:
        count += 1
        if connection == 0 and count == 4:
            raise RuntimeError("a proxy broke down")
        if connection == 1 and count == 2:
            continue
        if connection == 2 and count == 4:
            return
        yield update
        if connection < 3:
            yield update


async def first_update_again(updates: Updates, _connection: int) -> Updates:
    """Send the first update of a stream again after each later one."""
    first = await anext(updates)
    yield first
    async for update in updates:
        yield update
        yield first


async def test_an_old_update_brings_back_no_old_view() -> None:
    misdeeds = Misdeeds(twist=first_update_again)
    async with (
        running_server() as server,
        player(server.port) as client,
        relay_to(server.port, misdeeds) as relay,
        player(relay, token=client.token) as follower,
    ):
        match = await match_with_bot(client)
        _, updates = await asyncio.gather(
            play(client, match, Chooser(7)), all_updates(follower.match(match.match_id), [])
        )
        views = [update.view.sequence for update in updates if update.view]
        assert views == sorted(set(views))
        assert misdeeds.calls["StreamEvents"] == 1


async def one_by_one(updates: Updates) -> Updates:
    """Split updates into one for each event, so that there are many to lose."""
    async for response in updates:
        update = response.update
        for event in update.events:
            single = play_service_pb2.Update(
                match_id=update.match_id, sequence=event.sequence, events=[event]
            )
            if event is update.events[-1]:
                single.is_final = update.is_final
            yield play_service_pb2.StreamEventsResponse(update=single)


async def test_doubled_missing_and_unfinished_updates_are_put_right() -> None:
    misdeeds = Misdeeds(twist=lambda updates, n: doubled_then_broken(one_by_one(updates), n))
    async with (
        running_server() as server,
        player(server.port) as client,
        relay_to(server.port, misdeeds) as relay,
        player(relay, token=client.token) as follower,
    ):
        match = await match_with_bot(client)
        await play(client, match, Chooser(3))
        lost: list[Lost] = []
        assert await followed(follower.match(match.match_id), lost) == await whole_log(match)
        assert misdeeds.calls["StreamEvents"] == 4
        assert [str(loss.cause) for loss in lost][1:] == [
            "an event after 4 is missing",
            "the stream ended before the match",
        ]


async def test_a_silent_connection_is_given_up_and_made_again() -> None:
    patience = Patience(
        first_wait=timedelta(milliseconds=5),
        longest_wait=timedelta(milliseconds=50),
        silence=timedelta(milliseconds=300),
        keepalive=timedelta(seconds=1),
    )
    async with (
        running_server(heartbeat_seconds=0.1) as server,
        player(server.port) as client,
        wire_to(server.port) as wire,
        player(wire.port, token=client.token, patience=patience) as follower,
    ):
        match = await client.create_match(seats=2)
        lost: list[Lost] = []
        updates = follower.follow(match.match_id, on_lost=lost.append)
        first = await anext(updates)
        wire.freeze()
        await match.add_bot()
        second = await anext(updates)
        assert [event.kind for event in first.events + second.events] == [
            "match_created",
            "player_joined",
            "deal_committed",
            "seed_added",
            "player_joined",
        ]
        assert str(lost[0].cause) == "nothing came for 0.3 seconds"
        await updates.aclose()


async def test_heartbeats_keep_a_quiet_stream_and_are_not_yielded() -> None:
    patience = Patience(silence=timedelta(seconds=1.5))
    async with (
        running_server(heartbeat_seconds=0.1) as server,
        player(server.port, patience=patience) as client,
    ):
        match = await client.create_match(seats=2)
        lost: list[Lost] = []
        following = asyncio.create_task(all_updates(match, lost))
        # Long enough for the follower to have given up, had heartbeats not counted.
        await asyncio.wait([following], timeout=2)
        await match.leave()
        seen = await following
        assert [len(update.events) for update in seen] == [4, 2]
        assert (lost, seen[-1].is_final) == ([], True)


@pytest.mark.parametrize("after", [0, 1, 3])
async def test_a_stream_begins_after_the_event_asked_for(after: int) -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(seats=2)
        await match.add_bot()
        async with aclosing(match.follow(after)) as updates:
            first = await anext(updates)
        assert [event.sequence for event in first.events] == [1, 2, 3, 4, 5][after:]
        assert first.view == await match.view()
        assert first.info == match.info


@pytest.mark.parametrize(
    ("mode", "with_view"), [("always", (True, True)), ("never", (False, False))]
)
async def test_views_come_as_asked_for(mode: str, with_view: tuple[bool, bool]) -> None:
    async with running_server() as server, player(server.port) as client:
        match = await client.create_match(seats=2)
        async with aclosing(match.follow(view_mode=mode)) as updates:
            first = await anext(updates)
            await match.add_bot()
            second = await anext(updates)
        assert (first.view is not None, second.view is not None) == with_view


async def test_what_cannot_be_followed_is_refused_at_once() -> None:
    async with (
        running_server() as server,
        player(server.port) as client,
        player(server.port, "Boris") as other,
        player(server.port, token="forged.token.x") as nobody,
    ):
        match = await client.create_match(seats=2, spectators="none")
        refusals = [
            (client, "no-such-match", 0, NotFound, "MATCH_NOT_FOUND"),
            (other, match.match_id, 0, Denied, "SPECTATORS_REFUSED"),
            (client, match.match_id, 99, Refused, "SEQUENCE_AHEAD"),
            (nobody, match.match_id, 0, Unauthenticated, "TOKEN_INVALID"),
        ]
        for who, match_id, after, kind, reason in refusals:
            with pytest.raises(kind) as refused:
                await anext(who.follow(match_id, after))
            assert refused.value.reason == reason


async def test_closing_the_client_ends_its_streams_and_calls() -> None:
    async with running_server() as server:
        client = await Client.connect(f"127.0.0.1:{server.port}", name="Vasya", patience=QUICK)
        match = await client.create_match(seats=2)
        updates = match.follow()
        await anext(updates)
        waiting = asyncio.ensure_future(anext(updates))
        await asyncio.wait([waiting], timeout=0.05)
        await client.close()
        with pytest.raises(ClientClosed):
            await waiting
        with pytest.raises(ClientClosed):
            await match.view()
