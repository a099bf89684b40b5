"""Players who want the same match find each other."""

import asyncio
import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from grpc import StatusCode, aio

from durak_server.pb.durak.v1 import match_pb2
from tests.live_server import Calls, Guest, connected, failure_of, read_failure, running_server

ROUNDS = int(os.environ.get("QUICK_ROUNDS", "25"))
"""Rounds of the long race; `QUICK_ROUNDS=1000` is a thorough run."""
OPEN, PLAYING = match_pb2.MATCH_STATUS_OPEN, match_pb2.MATCH_STATUS_PLAYING


async def every_match(guest: Guest) -> list[match_pb2.MatchInfo]:
    found: list[match_pb2.MatchInfo] = []
    token, is_last = "", False
    while not is_last:
        page = await guest.matches(page_size=100, page_token=token)
        found += page.matches
        token, is_last = page.next_page_token, not page.next_page_token
    return found


def players_of(info: match_pb2.MatchInfo) -> list[str]:
    return [seat.player_id for seat in info.seats if seat.player_id]


async def test_the_first_waits_and_the_second_joins_him(calls: Calls) -> None:
    a, b = await calls.guests(2)

    first = await a.quick(preset="PRESET_PEREVODNOY")
    second = await b.quick(preset="PRESET_PEREVODNOY", seed=b"luck")

    assert (first.is_new, first.seat, first.info.status) == (True, 0, OPEN)
    assert len(first.commitment) == 32
    assert (second.is_new, second.seat, second.info.status) == (False, 1, PLAYING)
    assert second.info.match_id == first.info.match_id
    assert second.info.rules == first.info.rules


async def test_the_oldest_match_that_waits_is_taken_whoever_made_it(calls: Calls) -> None:
    a, b = await calls.guests(2)
    for match_id in ("old", "new"):
        await a.create(match_id=match_id)

    assert [(await b.quick()).info.match_id for _ in range(2)] == ["old", "new"]


UNFIT: list[dict[str, Any]] = [  # Any: each field has a type of its own
    {"rules": {"seats": 3}},
    {"rules": {"deck": 52}},
    {"preset": "PRESET_PEREVODNOY"},
    {"visibility": "VISIBILITY_UNLISTED"},
]


@pytest.mark.parametrize("fields", UNFIT)
async def test_a_match_that_is_not_the_one_wanted_is_passed_by(
    calls: Calls, fields: dict[str, Any]
) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m", **fields)

    assert (await b.quick()).is_new


async def test_a_match_from_which_he_was_removed_is_passed_by(calls: Calls) -> None:
    a, b = await calls.guests(2)
    match_id = (await a.create()).info.match_id
    await b.join(match_id)
    await a.remove(match_id, b.player_id)

    assert (await b.quick()).is_new


async def test_nobody_meets_himself_however_often_he_calls(calls: Calls) -> None:
    a, b = await calls.guests(2)

    his = [await a.quick() for _ in range(3)]

    assert [found.is_new for found in his] == [True, True, True]
    assert len({found.info.match_id for found in his}) == 3
    met = [(await b.quick()).info.match_id for _ in range(3)]
    assert met == [found.info.match_id for found in his]


async def test_rules_that_cannot_be_played_are_refused_field_by_field(calls: Calls) -> None:
    a = await calls.guest()

    failure = await failure_of(a.quick(rules={"seats": 6, "deck": 24}))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("rules.seats",))


async def test_a_repeat_finds_the_same_seat_also_after_a_restart(tmp_path: Path) -> None:
    kept = {"store": "sqlite", "data": tmp_path}
    async with running_server(**kept) as server, connected(server) as calls:
        a, b = await calls.guests(2)
        made, joined = await a.quick(request_id="a"), await b.quick(request_id="b")
        others = await asyncio.gather(*(guest.quick() for guest in await calls.guests(5)))
        assert [await a.quick(request_id="a"), await b.quick(request_id="b")] == [made, joined]
    async with running_server(**kept) as server, connected(server) as calls:
        a, b = (Guest(calls, guest.name, guest.player_id, guest.token) for guest in (a, b))
        assert [await a.quick(request_id="a"), await b.quick(request_id="b")] == [made, joined]
        assert (await b.quick(request_id="c")).info.match_id == others[-1].info.match_id


async def test_the_same_call_at_once_takes_one_seat(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.quick()

    answers = await asyncio.gather(*(b.quick(request_id="tap") for _ in range(10)))

    assert answers == [answers[0]] * 10
    assert len((await b.my_matches()).matches) == 1


async def test_who_sits_at_too_many_matches_gets_no_more() -> None:
    async with running_server(matches_per_player=2) as server, connected(server) as calls:
        a = await calls.guest()
        for request_id in ("1", "2"):
            await a.quick(request_id=request_id)

        assert (await failure_of(a.quick())).reason == "TOO_MANY_MATCHES"
        assert (await a.quick(request_id="1")).is_new


async def test_players_who_call_one_after_the_other_always_meet(calls: Calls) -> None:
    guests = await calls.guests(9)
    random = Random(3)
    for _ in range(90):
        await random.choice(guests).quick(rules={"seats": 3})
        waiting = [info for info in await every_match(guests[0]) if info.status == OPEN]
        # Whoever could sit at one of two tables sits at both already.
        for info in waiting[1:]:
            assert not set(players_of(info)).isdisjoint(players_of(waiting[0]))
        assert all(len(set(players_of(info))) == len(players_of(info)) for info in waiting)


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_of_those_who_call_at_once_nobody_waits_who_could_have_met_another(
    tmp_path: Path, seats: int
) -> None:
    # A store that takes its time, as a disk does.
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        guests = await calls.guests(24)

        await asyncio.gather(*(guest.quick(rules={"seats": seats}) for guest in guests))

        matches = await every_match(guests[0])
    assert [len(players_of(info)) for info in matches] == [seats] * (24 // seats)


async def test_players_who_call_at_once_meet_and_nobody_sits_twice_at_a_table(
    calls: Calls,
) -> None:
    guests = await calls.guests(12)
    random = Random(5)
    calls_of: Counter[str] = Counter()

    async def one(guest: Guest, open_ids: list[str]) -> None:
        """Call for any match, or for one that others are about to get."""
        if open_ids and random.random() < 0.4:
            try:
                await guest.join(random.choice(open_ids))
            except aio.AioRpcError as error:
                if read_failure(error).reason not in ("MATCH_FULL", "MATCH_STARTED"):
                    raise
        else:
            calls_of[guest.player_id] += 1
            await guest.quick(rules={"seats": random.choice([2, 3])})

    for _ in range(ROUNDS):
        open_ids = [info.match_id for info in await every_match(guests[0]) if info.status == OPEN]
        await asyncio.gather(*(one(guest, open_ids) for guest in guests for _ in range(2)))

    matches = await every_match(guests[0])
    assert all(len(set(players_of(info))) == len(players_of(info)) for info in matches)
    seats = Counter(player_id for info in matches for player_id in players_of(info))
    assert all(seats[guest.player_id] >= calls_of[guest.player_id] for guest in guests)
    full = [info for info in matches if len(players_of(info)) == len(info.seats)]
    assert {info.status for info in full} == {PLAYING}
