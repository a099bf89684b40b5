"""Seeds and commitments as a client meets them (docs/fair-deals.md)."""

import pytest
from grpc import StatusCode

from durak_server.matches import Shuffle, commitment_to, shuffled
from durak_server.pb.durak.v1 import event_pb2
from tests.api.knowledge import wire_number
from tests.live_server import Calls, Guest, failure_of, play_to_the_end


async def event(guest: Guest, match_id: str, kind: str, number: int = 0) -> event_pb2.Event:
    """Return an event of that kind in a match that is over."""
    events = await guest.followed(match_id)
    return [event for event in events if event.WhichOneof("kind") == kind][number]


async def test_the_cards_are_those_of_the_commitment_and_all_seeds(calls: Calls) -> None:
    a, b = await calls.guests(2)
    made = await a.create(match_id="m", start_when_full=True)
    assert await a.add_seed("m", commitment=made.commitment, seed=b"a", request_id="s") == 4
    joined = await b.join("m", seed=b"b")
    assert joined.commitment == b""
    await play_to_the_end("m", [a, b])

    revealed = (await event(a, "m", "seed_revealed")).seed_revealed
    assert (revealed.shuffle, commitment_to(revealed.seed)) == (1, made.commitment)
    assert (await event(a, "m", "deal_committed")).deal_committed == event_pb2.DealCommitted(
        shuffle=1, commitment=made.commitment
    )
    added = [(await event(b, "m", "seed_added", number)).seed_added for number in (0, 1)]
    assert added == [
        event_pb2.SeedAdded(shuffle=1, seat=0, seed=b"a"),
        event_pb2.SeedAdded(shuffle=1, seat=1, seed=b"b"),
    ]
    order = shuffled(36, "m", Shuffle(1, revealed.seed, ((0, b"a"), (1, b"b"))))
    for seat, guest in enumerate((a, b)):
        dealt = (await event(guest, "m", "deal_started")).deal_started
        own = sorted(order[1 - seat : 12 : 2])  # seat 0 deals, so seat 1 gets the first card
        assert list(dealt.hand) == [wire_number(card) for card in own]
        assert dealt.trump_card == wire_number(order[12])


async def test_a_repeated_seed_counts_once(calls: Calls) -> None:
    a = await calls.guest()
    made = await a.create(match_id="m")
    seed = {"commitment": made.commitment, "seed": b"seed", "request_id": "s"}
    assert await a.add_seed("m", **seed) == await a.add_seed("m", **seed) == 4
    failure = await failure_of(a.add_seed("m", commitment=made.commitment, seed=b"seed"))
    assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, "SEED_GIVEN")


async def test_a_seed_for_a_deal_that_has_begun_is_refused(calls: Calls) -> None:
    a = await calls.guest()
    made = await a.create(match_id="m")
    await a.add_bot("m")
    await a.start("m")
    failure = await failure_of(a.add_seed("m", commitment=made.commitment, seed=b"seed"))
    assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, "SEEDS_CLOSED")


async def test_a_strangers_seed_is_refused(calls: Calls) -> None:
    a, stranger = await calls.guests(2)
    made = await a.create(match_id="m")
    failure = await failure_of(stranger.add_seed("m", commitment=made.commitment, seed=b"x"))
    assert (failure.code, failure.reason) == (StatusCode.PERMISSION_DENIED, "NOT_SEATED")


@pytest.mark.parametrize("seed", [b"", b"x" * 65])
async def test_a_seed_has_1_to_64_bytes(calls: Calls, seed: bytes) -> None:
    a = await calls.guest()
    made = await a.create(match_id="m")
    failure = await failure_of(a.add_seed("m", commitment=made.commitment, seed=seed))
    assert failure.code is StatusCode.INVALID_ARGUMENT
    assert (failure.fields, failure.text) == (("seed",), "seed: must have 1 to 64 bytes")


async def test_who_joins_may_go_without_a_seed(calls: Calls) -> None:
    a, b = await calls.guests(2)
    await a.create(match_id="m", rules={"seats": 3})
    failure = await failure_of(b.join("m", seed=b"x" * 65))
    assert (failure.fields, failure.text) == (("seed",), "seed: must have 0 to 64 bytes")
    assert len((await b.join("m")).commitment) == 32


async def test_the_commitment_to_the_next_deal_is_known_in_the_one_before(calls: Calls) -> None:
    a = await calls.guest()
    made = await a.create(match_id="m", rules={"deals": 2})
    await a.add_bot("m")
    await a.start("m")
    update = await anext(a.follow("m"))
    first, second = [
        event.deal_committed for event in update.events if event.HasField("deal_committed")
    ]
    assert (first.shuffle, first.commitment) == (1, made.commitment)
    assert second.shuffle == 2
    await a.add_seed("m", commitment=second.commitment, seed=b"for the second")
