"""An unlisted match without spectators answers strangers as an id that was never used."""

from collections.abc import Awaitable, Callable

import pytest

from tests.live_server import Calls, Guest, connected, failure_of, running_server

Attempt = Callable[[Guest, str], Awaitable[object]]
TRIES = 5
"""More than a player may say at once."""
HIDDEN = {"visibility": "VISIBILITY_UNLISTED", "spectators": "SPECTATORS_NONE"}
ATTEMPTS: list[Attempt] = [
    lambda guest, match_id: guest.join(match_id),
    lambda guest, match_id: guest.join(match_id, password="guess"),
    lambda guest, match_id: guest.join(match_id, password="x" * 65),
    lambda guest, match_id: guest.join(match_id, seat=99),
    lambda guest, match_id: guest.say(match_id, "Hello"),
    lambda guest, match_id: guest.add_bot(match_id),
    lambda guest, match_id: guest.add_bot(match_id, level=99),
    lambda guest, match_id: guest.add_bot(match_id, request_id="é"),
    lambda guest, match_id: guest.start(match_id, expected_sequence=99),
    lambda guest, match_id: guest.leave(match_id, expected_sequence=99),
    lambda guest, match_id: guest.remove(match_id, guest.player_id),
    lambda guest, match_id: guest.renew_invite(match_id),
    lambda guest, match_id: guest.release_seats(match_id),
    lambda guest, match_id: guest.set_ready(match_id, is_ready=True),
    lambda guest, match_id: guest.rematch(match_id),
    lambda guest, match_id: guest.add_seed(match_id, seed=b"s", commitment=b"c" * 32),
    lambda guest, match_id: guest.look(match_id),
    lambda guest, match_id: guest.followed(match_id, after=99),
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_no_call_tells_a_hidden_match_from_none(calls: Calls, attempt: Attempt) -> None:
    owner, stranger, other = await calls.guests(3)
    hidden = (await owner.create(**HIDDEN)).info.match_id

    of_hidden = [await failure_of(attempt(stranger, hidden)) for _ in range(TRIES)]
    of_none = [await failure_of(attempt(other, "f" * len(hidden))) for _ in range(TRIES)]

    assert of_hidden == of_none


async def test_nor_does_a_rematch_by_who_sits_at_as_many_matches_as_he_may() -> None:
    async with running_server(matches_per_player=1) as server, connected(server) as calls:
        owner, stranger = await calls.guests(2)
        hidden = (await owner.create(**HIDDEN)).info.match_id
        await stranger.create()

        of_hidden = await failure_of(stranger.rematch(hidden))

        assert of_hidden == await failure_of(stranger.rematch("f" * len(hidden)))
