"""Calls that meet: each is answered, and nobody is told what is not so."""

import asyncio

from durak_server.pb.durak.v1 import match_pb2
from tests.live_server import Calls, Guest, failure_of, first_move, started_match


async def outcome(guest: Guest, match_id: str) -> str:
    """Join; return the reason of a refusal, or the seat."""
    join = asyncio.ensure_future(guest.join(match_id))
    await asyncio.wait([join])
    if join.exception() is None:
        return f"seat {join.result().seat}"
    return (await failure_of(join)).reason


async def test_two_who_join_two_free_seats_at_once_get_them_and_a_third_never(
    calls: Calls,
) -> None:
    owner, *joiners = await calls.guests(4)
    for race in range(200):
        match_id = f"race-{race}"
        await owner.create(match_id=match_id, rules={"seats": 3})

        outcomes = await asyncio.gather(*(outcome(guest, match_id) for guest in joiners))

        assert sorted(outcomes) == ["MATCH_FULL", "seat 1", "seat 2"]


async def test_a_double_tap_takes_one_seat(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create(rules={"seats": 6})).info.match_id

    taps = await asyncio.gather(*(b.join(match_id) for _ in range(10)))

    assert {tap.seat for tap in taps} == {1}
    seats = (await a.look(match_id)).info.seats
    assert [seat.player_id for seat in seats] == [a.player_id, b.player_id, "", "", "", ""]


async def test_the_same_create_at_once_makes_one_match(calls: Calls) -> None:
    a = await calls.guest()

    made = await asyncio.gather(*(a.create(request_id="once") for _ in range(10)))

    assert len({answer.SerializeToString(deterministic=True) for answer in made}) == 1
    assert len((await a.my_matches()).matches) == 1


async def test_the_same_move_at_once_is_made_once(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = await started_match(2, [a, b])
    mover = a if (await a.view(match_id)).legal_moves else b
    move = first_move(await mover.view(match_id))

    answers = await asyncio.gather(
        *(mover.move(match_id, move, request_id="lead") for _ in range(10))
    )

    assert answers == [answers[0]] * 10
    assert (await mover.view(match_id)).sequence == answers[0].sequence


async def test_a_call_given_up_is_done_or_not_but_never_half(calls: Calls) -> None:
    owner, joiner = await calls.guests(2)
    for attempt in range(50):
        match_id = f"given-up-{attempt}"
        await owner.create(match_id=match_id, start_when_full=True)
        join = asyncio.ensure_future(joiner.join(match_id))
        for _ in range(attempt % 10):
            await asyncio.sleep(0)
        join.cancel()
        await asyncio.wait([join])

        info = (await joiner.join(match_id)).info

        assert info.status == match_pb2.MATCH_STATUS_PLAYING
        assert len(await calls_of_one_deal(owner, match_id)) == 1


async def calls_of_one_deal(guest: Guest, match_id: str) -> list[int]:
    """The numbers of the deals begun so far."""
    update = await anext(guest.follow(match_id))
    return [event.deal_started.deal for event in update.events if event.HasField("deal_started")]
