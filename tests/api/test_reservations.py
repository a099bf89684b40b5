"""Seats that are kept for friends, over the wire."""

import pytest
from grpc import StatusCode

from tests.live_server import Calls, failure_of


async def test_friends_find_their_seats_and_others_a_full_match(calls: Calls) -> None:
    owner, friend, invited, stranger = await calls.guests(4)
    made = (
        await owner.create(
            rules={"seats": 3}, reserved_player_ids=[friend.player_id], reserved_for_code=1
        )
    ).info

    failure = await failure_of(stranger.join(made.match_id))
    bot = await failure_of(owner.add_bot(made.match_id))
    listed = await stranger.matches(filter={"has_free_seat": True})
    quick = await stranger.quick(rules={"seats": 3})

    assert made.reserved_seats == 2
    assert (failure.code, failure.reason) == (StatusCode.FAILED_PRECONDITION, "MATCH_FULL")
    assert (failure.text, failure.metadata) == ("The free seats are reserved.", {"reserved": "2"})
    assert bot == failure
    assert list(listed.matches) == []
    assert quick.is_new
    assert (await friend.join(made.match_id)).seat == 1
    joined = await invited.join(invite_code=made.invite_code)
    assert (joined.seat, joined.info.reserved_seats) == (2, 0)


async def test_a_named_friend_joins_an_unlisted_match_by_its_id(calls: Calls) -> None:
    owner, friend, stranger = await calls.guests(3)
    hidden = {"visibility": "VISIBILITY_UNLISTED", "spectators": "SPECTATORS_NONE"}
    made = await owner.create(reserved_player_ids=[friend.player_id], **hidden)

    assert (await failure_of(stranger.join(made.info.match_id))).reason == "MATCH_NOT_FOUND"
    assert (await friend.join(made.info.match_id)).seat == 1


async def test_the_owner_releases_the_seats_and_all_are_told(calls: Calls) -> None:
    owner, stranger = await calls.guests(2)
    match_id = (await owner.create(reserved_for_code=1)).info.match_id
    lobby = stranger.watch_lobby(has_free_seat=True)
    assert not (await anext(lobby)).added
    stream = stranger.follow(match_id)
    await anext(stream)

    info = await owner.release_seats(match_id, request_id="release")

    assert info.reserved_seats == 0
    assert (await anext(stream)).events[0].seats_released.count == 1
    assert [found.match_id for found in (await anext(lobby)).added] == [match_id]
    assert (await stranger.join(match_id)).seat == 1
    assert await owner.release_seats(match_id, request_id="release") == info
    await stream.aclose()
    await lobby.aclose()


@pytest.mark.parametrize("names", [[""], ["x" * 65], ["anna 7"], ["a", "b"]])
async def test_what_cannot_be_reserved_is_refused_by_field(calls: Calls, names: list[str]) -> None:
    failure = await failure_of((await calls.guest()).create(reserved_player_ids=names))

    assert (failure.code, failure.fields) == (
        StatusCode.INVALID_ARGUMENT,
        ("reserved_player_ids",),
    )
