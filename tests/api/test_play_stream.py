"""One stream for many matches: commands up, answers and updates down."""

import asyncio
from collections import defaultdict

from grpc import StatusCode

from durak_server.pb.durak.v1 import event_pb2, match_pb2, move_pb2
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.api.one_stream import OneStream, by_turn, follow, move, one_stream, unfollow
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

TAKE = move_pb2.Move(kind=move_pb2.MOVE_KIND_TAKE)


async def started_matches(number: int, players: list[Guest]) -> list[str]:
    return [await started_match(2, players) for _ in range(number)]


async def play_everything(stream: OneStream, match_ids: list[str]) -> None:
    """Play first moves in every match, over this stream alone, until all are over."""
    await stream.send(*(follow(match_id) for match_id in match_ids))
    left = set(match_ids)
    while left:
        moves = []
        for update in (await stream.read()).updates:
            if update.is_final:
                left.discard(update.match_id)
            elif update.view.legal_moves:
                moves.append(move(update.match_id, first_move(update.view)))
        if moves:
            await stream.send(*moves)


async def test_two_players_play_several_matches_on_one_stream_each(calls: Calls) -> None:
    players = await calls.guests(2)
    match_ids = await started_matches(5, players)

    async with one_stream(players[0]) as first, one_stream(players[1]) as second:
        await asyncio.gather(play_everything(first, match_ids), play_everything(second, match_ids))

        for player, stream in zip(players, (first, second), strict=True):
            events: defaultdict[str, list[event_pb2.Event]] = defaultdict(list)
            for update in stream.updates:
                events[update.match_id] += update.events
            assert dict(events) == {
                match_id: await player.followed(match_id) for match_id in match_ids
            }


async def test_the_updates_are_those_of_a_stream_of_the_match_alone(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    alone = players[0].follow(match_id)

    async with one_stream(players[0]) as stream:
        await stream.send(follow(match_id))
        assert (await stream.news_of([match_id]))[match_id] == await anext(alone)
        mover, _ = await by_turn(match_id, players)
        await mover.move(match_id, first_move(await mover.view(match_id)))
        assert (await stream.news_of([match_id]))[match_id] == await anext(alone)
    await alone.aclose()


async def test_a_move_is_answered_no_later_than_its_events_come(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    mover, _ = await by_turn(match_id, players)

    async with one_stream(mover) as stream:
        await stream.send(follow(match_id))
        view = (await stream.news_of([match_id]))[match_id].view
        [tag] = await stream.send(move(match_id, first_move(view)))
        message = await stream.read()

    [answer], [update] = message.answers, message.updates
    assert (answer.tag, answer.moved.sequence) == (tag, update.sequence)
    assert list(answer.moved.events) == list(update.events)


async def test_every_command_is_answered_and_a_refusal_ends_nothing(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = await started_match(2, [a, b])
    await b.create(match_id="closed", spectators="SPECTATORS_NONE")

    async with one_stream(a) as stream:
        answers = await stream.ask(
            follow("nowhere"),
            follow("closed"),
            follow(match_id, 1_000),
            follow("?"),
            follow(match_id, view_mode=9),
            unfollow("nowhere"),
            move(match_id, move_pb2.Move()),
            move("nowhere", TAKE),
            move("closed", TAKE),
            pb.PlayCommand(),
            follow(match_id),
        )

    kinds = [answer.refusal.reason or answer.WhichOneof("kind") for answer in answers]
    assert kinds == [
        "MATCH_NOT_FOUND",
        "SPECTATORS_REFUSED",
        "SEQUENCE_AHEAD",
        "INVALID_FIELD",
        "INVALID_FIELD",
        "unfollowed",
        "INVALID_FIELD",
        "MATCH_NOT_FOUND",
        "NOT_SEATED",
        "INVALID_FIELD",
        "followed",
    ]


async def test_a_refusal_tells_all_that_the_error_of_a_call_tells(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    _, waiting = await by_turn(match_id, players)
    no_kind, stale = move_pb2.Move(), {"expected_sequence": 1}

    async with one_stream(waiting) as stream:
        answers = await stream.ask(
            move(match_id, TAKE), move(match_id, no_kind), move(match_id, TAKE, **stale)
        )
    failures = [
        await failure_of(waiting.move(match_id, TAKE)),
        await failure_of(waiting.move(match_id, no_kind)),
        await failure_of(waiting.move(match_id, TAKE, **stale)),
    ]

    assert [failure.code for failure in failures] == [
        StatusCode.FAILED_PRECONDITION,
        StatusCode.INVALID_ARGUMENT,
        StatusCode.ABORTED,
    ]
    for answer, failure in zip(answers, failures, strict=True):
        refusal = answer.refusal
        assert (refusal.code, refusal.reason) == (failure.code.value[0], failure.reason)
        assert (refusal.message, dict(refusal.metadata)) == (failure.text, failure.metadata)
        assert tuple(problem.path for problem in refusal.problems) == failure.fields
        assert not refusal.HasField("retry_delay")


async def test_a_repeated_move_gets_the_first_answer(calls: Calls) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    mover, _ = await by_turn(match_id, players)
    chosen = first_move(await mover.view(match_id))

    async with one_stream(mover) as stream:
        first, second = await stream.ask(
            *(move(match_id, chosen, request_id="r") for _ in range(2))
        )
    third = await mover.move(match_id, chosen, request_id="r")

    assert first.moved == second.moved == third


async def test_after_an_unfollow_nothing_of_the_match_comes(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m", rules={"seats": 3})
    await a.create(match_id="n", rules={"seats": 3})

    async with one_stream(a) as stream:
        await stream.ask(follow("m"), follow("n"))
        await stream.ask(unfollow("m"))
        del stream.messages[:]
        await b.join("m")
        await b.join("n")
        await stream.news_of("n")

    assert {update.match_id for update in stream.updates} == {"n"}


async def test_a_stream_goes_on_after_the_sequences_it_is_given(calls: Calls) -> None:
    players = await calls.guests(2)
    match_ids = await started_matches(3, players)
    for match_id in match_ids:
        await play_to_the_end(match_id, players)
    whole = {match_id: await players[0].followed(match_id) for match_id in match_ids}

    async with one_stream(players[0]) as stream:
        await stream.send(*(follow(match_id, 7) for match_id in match_ids))
        updates = await stream.news_of(match_ids)

    for match_id, update in updates.items():
        assert (list(update.events), update.is_final) == (whole[match_id][7:], True)


async def test_to_follow_a_match_again_is_to_follow_it_anew(calls: Calls) -> None:
    guest = await calls.guest()
    await guest.create(match_id="m")

    async with one_stream(guest) as stream:
        await stream.ask(follow("m"))
        await stream.send(follow("m", 2, view_mode="VIEW_MODE_NEVER"))
        update = (await stream.news_of("m"))["m"]

    assert [event.sequence for event in update.events] == [3]
    assert (update.sequence, update.HasField("info")) == (3, True)


async def test_a_refused_follow_leaves_the_following_that_there_was(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m")

    async with one_stream(a) as stream:
        await stream.ask(follow("m"))
        [refused] = await stream.ask(follow("m", 1_000, view_mode="VIEW_MODE_NEVER"))
        await b.join("m")
        update = (await stream.news_of("m"))["m"]

    assert refused.refusal.reason == "SEQUENCE_AHEAD"
    assert [event.WhichOneof("kind") for event in update.events] == ["player_joined"]
    assert update.HasField("view")


async def test_a_final_update_ends_its_match_alone(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m")
    await a.create(match_id="n")

    async with one_stream(a) as stream:
        await stream.ask(follow("m"), follow("n"))
        await a.leave("m")
        last = (await stream.news_of("m"))["m"]
        await b.join("n")
        assert (await stream.news_of("n"))["n"].events[0].HasField("player_joined")

    assert (last.is_final, last.view.status) == (True, match_pb2.MATCH_STATUS_ABANDONED)


async def test_who_may_not_watch_one_match_any_more_follows_the_others(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m", spectators="SPECTATORS_NONE", rules={"seats": 3})
    await a.create(match_id="n")
    await b.join("m")

    async with one_stream(b) as stream:
        await stream.ask(follow("m"), follow("n"))
        await b.leave("m")
        while not (message := await stream.read()).ended:
            pass
        await b.join("n")
        assert (await stream.news_of("n"))["n"].view.seat == 1

    [ended] = message.ended
    assert ended.match_id == "m"
    assert ended.refusal.code == StatusCode.PERMISSION_DENIED.value[0]
    assert ended.refusal.reason == "SPECTATORS_REFUSED"


async def test_a_caller_who_has_closed_his_side_hears_the_rest(calls: Calls) -> None:
    a = await calls.guest()
    await a.create(match_id="m")

    async with one_stream(a) as stream:
        await stream.send(follow("m"), follow("nowhere"))
        await stream.call.done_writing()
        await stream.news_of("m")
        await a.leave("m")
        await stream.rest()

        assert stream.updates[-1].is_final
        assert [answer.tag for message in stream.messages for answer in message.answers] == [1, 2]
        assert await stream.call.code() is StatusCode.OK


async def test_a_silent_stream_beats_whether_it_follows_or_not() -> None:
    async with running_server(heartbeat_seconds=0.01) as server, connected(server) as calls:
        guest = await calls.guest()
        await guest.create(match_id="m")

        async with one_stream(guest) as stream:
            assert [await stream.call.read() for _ in range(3)] == [pb.PlayResponse()] * 3
            await stream.ask(follow("m"))
            assert [await stream.call.read() for _ in range(3)] == [pb.PlayResponse()] * 3


async def test_500_matches_are_followed_and_played_on_one_stream() -> None:
    async with running_server() as server, connected(server) as calls:
        players = await calls.guests(2)
        match_ids = [f"m{number}" for number in range(500)]
        for match_id in match_ids:
            await players[0].create(match_id=match_id, start_when_full=True)
            await players[1].join(match_id)

        async with one_stream(players[0]) as first, one_stream(players[1]) as second:
            movable = {}
            for stream in (first, second):
                await stream.send(*(follow(match_id) for match_id in match_ids[:250]))
                await stream.send(*(follow(match_id) for match_id in match_ids[250:]))
                news = await stream.news_of(match_ids)
                movable[stream] = [news[m].view for m in match_ids if news[m].view.legal_moves]
            assert metric(server, "durak_streams") == 2
            for stream, views in movable.items():
                moves = [move(view.match_id, first_move(view)) for view in views]
                for start in range(0, len(moves), 200):
                    await stream.send(*moves[start : start + 200])
            del first.messages[:]
            news = await first.news_of(match_ids)

    assert sum(map(len, movable.values())) == 500
    assert {update.events[0].WhichOneof("kind") for update in news.values()} == {"led"}
    assert max(len(message.updates) for message in first.messages) <= 100
    assert len(first.messages) < 500  # what is ready together comes together
