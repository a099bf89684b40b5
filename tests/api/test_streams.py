"""How a match is followed: everything, once, in order, to the end."""

import asyncio
import gc
from collections import Counter
from collections.abc import Callable
from typing import Protocol

import pytest
from grpc import StatusCode, aio

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import event_pb2, match_pb2, play_service_pb2
from durak_server.runtime import LiveMatch
from tests.client.relays import wire_to
from tests.live_server import (
    Calls,
    Guest,
    connected,
    failure_of,
    first_move,
    metric,
    play_to_the_end,
    running_server,
    started_match,
)


class Reader(Protocol):
    """A call whose answers are read by hand."""

    async def read(self) -> object: ...


async def finished_match(calls: Calls) -> tuple[str, list[Guest]]:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    await play_to_the_end(match_id, players)
    return match_id, players


async def test_a_stream_gives_every_event_once_in_order_and_ends(calls: Calls) -> None:
    match_id, players = await finished_match(calls)

    updates = [update async for update in players[0].follow(match_id)]

    sequences = [event.sequence for update in updates for event in update.events]
    assert sequences == list(range(1, updates[-1].sequence + 1))
    assert [update.is_final for update in updates] == [False] * (len(updates) - 1) + [True]
    assert updates[0].info.match_id == match_id
    assert updates[-1].view.status == match_pb2.MATCH_STATUS_FINISHED
    assert kinds(list(updates[-1].events))[-3:] == ["deal_ended", "seed_revealed", "match_finished"]


async def test_a_stream_resumes_after_every_sequence(calls: Calls) -> None:
    match_id, players = await finished_match(calls)
    whole = await players[0].followed(match_id)

    for after in range(len(whole) + 1):
        assert await players[0].followed(match_id, after) == whole[after:]


async def test_live_events_come_as_they_come_back_later(calls: Calls) -> None:
    players = await calls.guests(3)
    match_id = await started_match(3, players)
    watchers = [asyncio.create_task(player.followed(match_id)) for player in players]

    await play_to_the_end(match_id, players)

    for player, watcher in zip(players, watchers, strict=True):
        assert await watcher == await player.followed(match_id)


async def test_the_view_of_an_update_is_that_of_get_view(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = await started_match(2, [a, b])

    updates = a.follow(match_id)
    first = await anext(updates)
    assert first.view == await a.view(match_id)
    mover = a if first.view.legal_moves else b
    await mover.move(match_id, first_move(await mover.view(match_id)))
    second = await anext(updates)

    assert second.view == await a.view(match_id)
    assert second.sequence == second.view.sequence == second.events[-1].sequence
    assert not second.HasField("info")
    await updates.aclose()


async def test_the_answer_to_a_move_is_what_the_stream_brings(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = await started_match(2, [a, b])
    mover = a if (await a.view(match_id)).legal_moves else b
    before = (await mover.view(match_id)).sequence

    answer = await mover.move(match_id, first_move(await mover.view(match_id)))

    update = await anext(mover.follow(match_id, before))
    assert list(update.events) == list(answer.events)
    assert update.sequence == answer.sequence
    assert answer.events[0].WhichOneof("kind") == "led"


MODES: dict[str, Callable[[play_service_pb2.Update, bool], bool]] = {
    "VIEW_MODE_ALWAYS": lambda update, is_first: bool(update.events) or is_first,
    "VIEW_MODE_ON_TURN": lambda update, is_first: (
        is_first or update.is_final or bool(update.view.legal_moves)
    ),
    "VIEW_MODE_NEVER": lambda update, is_first: False,
}


@pytest.mark.parametrize("mode", MODES)
async def test_an_update_has_a_view_as_the_caller_chooses(calls: Calls, mode: str) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)

    async def updates() -> list[play_service_pb2.Update]:
        return [update async for update in players[0].follow(match_id, view_mode=mode)]

    watcher = asyncio.create_task(updates())
    await play_to_the_end(match_id, players)

    found = await watcher
    assert len(found) > 2
    for index, update in enumerate(found):
        assert update.HasField("view") == MODES[mode](update, index == 0)


async def test_a_spectator_sees_every_event_and_no_hand(calls: Calls) -> None:
    players = await calls.guests(3)
    match_id = await started_match(2, players[:2])
    await play_to_the_end(match_id, players[:2])

    events = await players[2].followed(match_id)

    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    deal = next(event.deal_started for event in events if event.HasField("deal_started"))
    assert list(deal.hand) == []
    for event in events:
        if event.HasField("drew"):
            assert set(event.drew.cards) <= {deal.trump_card}


async def test_players_are_shown_their_own_cards_only(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    views = [await player.view(match_id) for player in players]

    for seat, view in enumerate(views):
        hands = [list(shown.hand) for shown in view.deal.seats]
        assert len(hands[seat]) == 6
        assert hands[1 - seat] == []


async def test_who_has_every_event_still_gets_a_first_update_at_once(calls: Calls) -> None:
    guest = await calls.guest()
    match_id = (await guest.create()).info.match_id

    update = await anext(guest.follow(match_id, after=3))

    assert update.sequence == 3
    assert list(update.events) == []
    assert update.HasField("view")
    assert update.info == (await guest.look(match_id)).info


async def test_a_stream_of_a_match_that_is_over_ends_at_once(calls: Calls) -> None:
    match_id, players = await finished_match(calls)
    last = (await players[0].view(match_id)).sequence

    updates = [update async for update in players[0].follow(match_id, after=last)]

    assert [update.is_final for update in updates] == [True]


async def test_a_silent_stream_beats() -> None:
    async with running_server(heartbeat_seconds=0.01) as server, connected(server) as calls:
        guest = await calls.guest()
        match_id = (await guest.create()).info.match_id

        updates = guest.follow(match_id)
        await anext(updates)
        beats = [await anext(updates) for _ in range(3)]

        assert beats == [play_service_pb2.Update(match_id=match_id, sequence=3)] * 3
        await updates.aclose()


async def test_a_seat_taken_while_watching_is_seen_from(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(start_when_full=True)).info.match_id
    updates = b.follow(match_id)
    assert not (await anext(updates)).view.HasField("seat")

    await b.join(match_id)

    update = await anext(updates)
    assert update.view.seat == 1
    deal = next(event for event in update.events if event.HasField("deal_started"))
    assert len(deal.deal_started.hand) == 6
    await updates.aclose()


async def test_who_may_not_watch_any_more_is_told(calls: Calls) -> None:
    a, b = await calls.guests(2)
    made = await a.create(spectators="SPECTATORS_NONE")
    await b.join(made.info.match_id)
    updates = b.follow(made.info.match_id)
    await anext(updates)

    await b.leave(made.info.match_id)

    assert (await failure_of(anext(updates))).reason == "SPECTATORS_REFUSED"


async def test_a_second_stream_leaves_the_first_open(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(rules={"seats": 3})).info.match_id
    first, second = a.follow(match_id), a.follow(match_id)
    await anext(first)
    await anext(second)

    await b.join(match_id)

    assert (await anext(first)).sequence == (await anext(second)).sequence == 4
    await first.aclose()
    await second.aclose()


async def test_a_connection_that_died_without_a_word_gives_its_streams_back() -> None:
    async with (
        running_server(ping_seconds=1.5, heartbeat_seconds=0.05) as server,
        connected(server) as calls,
        wire_to(server.port) as wire,
        aio.insecure_channel(f"127.0.0.1:{wire.port}") as channel,
    ):
        witness, gone = await calls.guest(), await Calls(channel).guest()
        await witness.create(match_id="m")
        lost = gone.follow("m")
        await anext(lost)
        assert metric(server, "durak_streams") == 1

        wire.freeze()

        async for _ in witness.follow("m"):  # it beats, and lives on
            if metric(server, "durak_streams") == 1:
                break


async def test_a_reader_that_takes_nothing_is_ended_and_others_never_notice() -> None:
    settings = {"watcher_stall_seconds": 0.5, "heartbeat_seconds": 0.001}
    async with running_server(**settings) as server, connected(server) as calls:
        guest = await calls.guest()
        match_id = (await guest.create()).info.match_id
        # A connection that buffers next to nothing: a reader's pause is felt at once.
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            request = play_service_pb2.StreamEventsRequest(match_id=match_id)
            stalled = narrow.play.StreamEvents(request, metadata=guest.metadata)
            await stalled.read()

            async for update in guest.follow(match_id):
                assert update.sequence == 3
                if metric(server, "durak_watchers_dropped_total"):
                    break

            failure = await failure_of(_rest(stalled))
        assert (failure.code, failure.reason) == (
            StatusCode.RESOURCE_EXHAUSTED,
            "WATCHER_TOO_SLOW",
        )
        assert failure.metadata == {"sequence": "3"}
        assert failure.retry_seconds == 1.0
        assert failure.pushback_ms == "1000"


async def test_a_reader_that_takes_not_even_the_first_message_is_ended_too() -> None:
    settings = {"watcher_stall_seconds": 0.5, "heartbeat_seconds": 0.001}
    async with running_server(**settings) as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        await play_to_the_end(match_id, players)
        await players[0].create(match_id="other")
        async with connected(server, http2__lookahead_bytes=1024, http2__bdp_probe=0) as narrow:
            request = play_service_pb2.StreamEventsRequest(match_id=match_id)
            stalled = narrow.play.StreamEvents(request, metadata=players[0].metadata)
            async for _ in players[1].follow("other"):
                if metric(server, "durak_watchers_dropped_total"):
                    break

            failure = await failure_of(_rest(stalled))
        assert failure.reason == "WATCHER_TOO_SLOW"


async def _rest(call: Reader) -> None:
    while (await call.read()) is not aio.EOF:
        pass


async def test_streams_opened_and_cancelled_leave_nothing_behind(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    match_id = (await guest.create()).info.match_id

    async def open_and_cancel(number: int) -> None:
        for _ in range(number):
            stream = guest.follow(match_id)
            await anext(stream)
            await stream.aclose()

    await open_and_cancel(20)
    await guest.look(match_id)
    before = census()
    await open_and_cancel(300)

    # The last streams may still be on their way out: each call gives them time.
    for _ in range(100):
        await guest.look(match_id)
        if not grown(before, census()):
            break
    assert grown(before, census()) == {}
    assert metric(server, "durak_streams") == 0


def census() -> Counter[str]:
    """How many objects of each type there are."""
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects())


def grown(before: Counter[str], after: Counter[str]) -> dict[str, int]:
    """The types of which there are clearly more, after 300 streams.

    The loop forgets timers that were cancelled once there are a hundred of them; what their
    contexts hold stays as long.
    """
    return {name: number for name, number in (after - before).items() if number > 150}


def kinds(events: list[event_pb2.Event]) -> list[str | None]:
    return [event.WhichOneof("kind") for event in events]


async def test_the_last_event_of_an_abandoned_match_ends_its_streams(calls: Calls) -> None:
    a = await calls.guest()
    match_id = (await a.create()).info.match_id
    watcher = asyncio.create_task(a.followed(match_id))

    await a.leave(match_id)

    assert kinds(await watcher) == [
        "match_created",
        "player_joined",
        "deal_committed",
        "player_left",
        "match_abandoned",
    ]


async def test_a_forgotten_match_is_read_again_for_a_late_watcher(
    server: DurakServer, calls: Calls
) -> None:
    match_id, players = await finished_match(calls)
    before = await players[0].followed(match_id)
    live: LiveMatch = await server.live.find(match_id)
    live.leave_memory()

    assert await players[0].followed(match_id) == before
