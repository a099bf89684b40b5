"""What every store promises about logs."""

import asyncio
from dataclasses import replace

import pytest

from durak_server.matches import MatchStatus, OwnerChanged, Record
from durak_server.rules import RuleSet
from durak_server.store import Conflict, EventStore, StoreUnavailable
from tests.matches.tabletop import NOON, finished_table
from tests.store.logs import Log, log, log_of

PLAYED = log_of(finished_table(RuleSet(seats=3, deals=2), seed=1))
OPEN = log("open")


async def test_what_is_appended_is_read(store: EventStore) -> None:
    await PLAYED.keep_by_steps(store)
    assert await store.read(PLAYED.match_id) == list(PLAYED.records)


@pytest.mark.parametrize("after", [0, 1, 17, len(PLAYED.records) - 1, len(PLAYED.records), 9_999])
async def test_a_log_is_read_from_any_sequence(store: EventStore, after: int) -> None:
    await PLAYED.keep(store)
    assert await store.read(PLAYED.match_id, after) == list(PLAYED.records[after:])


async def test_the_log_of_an_unknown_match_is_empty(store: EventStore) -> None:
    assert await store.read("nothing") == []


async def test_logs_do_not_mix(store: EventStore) -> None:
    logs = [log(f"m{number}", made=number, players=[f"p{number}", "x"]) for number in range(4)]
    for one in logs:
        await one.keep(store)
    for one in logs:
        assert await store.read(one.match_id) == list(one.records)


@pytest.mark.parametrize("after", [0, 1, 4, 6, 100])
async def test_an_append_to_another_place_is_a_conflict_and_stores_nothing(
    store: EventStore, after: int
) -> None:
    await PLAYED.keep(store, 0, 5)
    with pytest.raises(Conflict) as conflict:
        await store.append(
            PLAYED.match_id, after, PLAYED.records[after : after + 1], PLAYED.summary
        )
    assert conflict.value.head == 5
    assert await store.read(PLAYED.match_id) == list(PLAYED.records[:5])
    assert await store.counts() == {(MatchStatus.PLAYING, PLAYED.summary.preset): 1}


async def test_an_append_behind_the_end_of_no_log_is_a_conflict(store: EventStore) -> None:
    with pytest.raises(Conflict) as conflict:
        await PLAYED.keep(store, 3, 4)
    assert conflict.value.head == 0
    assert await store.read(PLAYED.match_id) == []


async def test_of_many_appends_to_one_place_one_wins(store: EventStore) -> None:
    rivals = [log("m", players=[f"p{number}", "x"]) for number in range(20)]
    outcomes = await asyncio.gather(*(keep(store, rival) for rival in rivals))
    assert (outcomes.count(None), outcomes.count(len(rivals[0].records))) == (1, 19)
    winner = rivals[outcomes.index(None)]
    assert await store.read("m") == list(winner.records)


async def keep(store: EventStore, rival: Log) -> int | None:
    """Try to store a log; return the head that was in its way, or None."""
    try:
        await rival.keep(store)
    except Conflict as conflict:
        return conflict.head
    return None


async def test_writers_who_read_again_after_a_conflict_all_get_their_record_in(
    store: EventStore,
) -> None:
    start = log("m")
    await start.keep(store)
    names = [f"writer {number}" for number in range(12)]
    await asyncio.gather(*(write_until_stored(store, start, name) for name in names))
    records = await store.read("m")
    assert [record.sequence for record in records] == list(range(1, 16))
    assert sorted(record.player_id for record in records[3:]) == sorted(names)


async def write_until_stored(store: EventStore, start: Log, name: str) -> None:
    """Append one record wherever the log ends, as often as it takes."""
    while True:
        head = len(await store.read("m"))
        record = Record(head + 1, NOON, OwnerChanged("bob"), name)
        try:
            await store.append("m", head, [record], replace(start.summary, sequence=head + 1))
        except Conflict:
            continue
        return


async def test_appends_to_many_logs_at_a_time_are_all_kept_in_order(store: EventStore) -> None:
    logs = [log(f"m{number}", made=number, status=MatchStatus.FINISHED) for number in range(24)]
    await asyncio.gather(*(one.keep_by_steps(store) for one in logs))
    for one in logs:
        assert await store.read(one.match_id) == list(one.records)
    assert await store.counts() == {(MatchStatus.FINISHED, OPEN.summary.preset): 24}


async def test_a_closed_store_refuses_everything(store: EventStore) -> None:
    await OPEN.keep(store)
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.read(OPEN.match_id)
    with pytest.raises(StoreUnavailable):
        await OPEN.keep(store)
    with pytest.raises(StoreUnavailable):
        await store.counts()
