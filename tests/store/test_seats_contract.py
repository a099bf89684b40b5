"""What every store promises about seats: who waits for players, and who sat down by which call."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from durak_server.matches import (
    Admission,
    JoinMatch,
    LeaveMatch,
    MatchStatus,
    ReleaseSeats,
    RenewInvite,
    Visibility,
)
from durak_server.rules import RuleSet, ThrowIn
from durak_server.store import EventStore, MatchQuery, PageRequest
from tests.matches.tabletop import INVITE_CODE, MATCH_ID, Tabletop, create_command, open_table
from tests.store.logs import TWO, Log, log, log_of

THREE = RuleSet(seats=3)
LOBBY = [
    log("old", made=1, players=["ann"]),
    log("full", made=2),
    log("hidden", made=3, players=["ann"], visibility=Visibility.UNLISTED),
    log("new", made=4, players=["bob"]),
    log("three", made=5, players=["ann"], rules=THREE),
    log("other", made=6, players=["ann"], rules=RuleSet(seats=2, throw_in=ThrowIn.NONE)),
    log("begun", made=7, status=MatchStatus.PLAYING),
    log("gone", made=8, players=["ann"], status=MatchStatus.ABANDONED),
    log("oldest", made=0, players=["bob"]),
]

WAITING: list[tuple[RuleSet, str, int, list[str]]] = [
    (TWO, "cid", 9, ["oldest", "old", "new"]),
    (TWO, "cid", 2, ["oldest", "old"]),
    (TWO, "ann", 9, ["oldest", "new"]),
    (TWO, "bob", 9, ["old"]),
    (THREE, "cid", 9, ["three"]),
    (RuleSet(seats=4), "cid", 9, []),
]


async def keep_all(store: EventStore, logs: Sequence[Log]) -> None:
    for one in logs:
        await one.keep_by_steps(store, step=20)


@pytest.mark.parametrize(("rules", "player", "most", "found"), WAITING)
async def test_matches_that_wait_for_anybody_are_found_oldest_first(
    store: EventStore, rules: RuleSet, player: str, most: int, found: list[str]
) -> None:
    await keep_all(store, LOBBY)
    assert await store.waiting_matches(rules, player, most) == found


async def test_a_match_waits_again_when_a_seat_is_given_up(store: EventStore) -> None:
    table = open_table(TWO)
    table.do(JoinMatch("p1", "", "P"))
    full = log_of(table)
    await full.keep(store)
    assert await store.waiting_matches(TWO, "p2", 9) == []
    table.do(LeaveMatch("p1", ""))
    await log_of(table).keep(store, after=len(full.records))
    assert await store.waiting_matches(TWO, "p2", 9) == [MATCH_ID]


async def test_a_renewed_code_takes_the_place_of_the_last(store: EventStore) -> None:
    table = open_table(TWO)
    made = log_of(table)
    await made.keep(store)
    table.do(RenewInvite("p0", "", "Newcode7", timedelta(hours=1)))
    renewed = log_of(table)
    await renewed.keep(store, after=len(made.records))
    assert await store.find_invite(INVITE_CODE) is None
    assert await store.find_invite("NEWCODE7") == MATCH_ID
    page = await store.list_public(MatchQuery(), PageRequest())
    assert page.matches == (renewed.summary,)


async def test_a_match_with_kept_seats_alone_waits_for_nobody_until_they_are_released(
    store: EventStore,
) -> None:
    table = Tabletop()
    table.do(create_command(TWO, admission=Admission(reserved_for=("ann",))))
    made = log_of(table)
    await made.keep(store)
    assert await store.waiting_matches(TWO, "cid", 9) == []
    table.do(ReleaseSeats("p0", ""))
    released = log_of(table)
    await released.keep(store, after=len(made.records))
    assert await store.waiting_matches(TWO, "cid", 9) == [MATCH_ID]
    page = await store.list_public(MatchQuery(has_free_seat=True), PageRequest())
    assert page.matches == (released.summary,)


SEATINGS = [("p0", "create", MATCH_ID), ("p1", "sit", MATCH_ID), ("p2", "", None)]
SEATINGS += [("p0", "sit", None), ("p1", "leave", None), ("nobody", "sit", None)]


@pytest.mark.parametrize(("player", "request_id", "match_id"), SEATINGS)
async def test_a_seat_is_found_by_the_request_that_took_it(
    store: EventStore, player: str, request_id: str, match_id: str | None
) -> None:
    table = open_table(THREE)
    table.do(JoinMatch("p1", "sit", "P"))
    table.do(JoinMatch("p2", "", "P"))
    table.do(LeaveMatch("p1", "leave"))
    await log_of(table).keep(store)
    assert await store.find_seating(player, request_id) == match_id


async def test_of_two_seats_taken_by_one_request_the_first_is_found(store: EventStore) -> None:
    for match_id in ("first", "second"):
        table = open_table(TWO)
        table.do(JoinMatch("p1", "sit", "P"))
        joined = log_of(table)
        await store.append(match_id, 0, joined.records, replace(joined.summary, match_id=match_id))
    assert await store.find_seating("p1", "sit") == "first"
