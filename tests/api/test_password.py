"""A match with a password, over the wire."""

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from tests.live_server import Calls, Guest, connected, failure_of, metric, running_server

PASSWORD = "Кладезь-42"


async def guarded(owner: Guest, **fields: Any) -> str:  # Any: each field has a type of its own
    """Make a match of three with the password; return its id."""
    made = await owner.create(password=PASSWORD, rules={"seats": 3}, **fields)
    return made.info.match_id


async def test_the_right_password_opens_a_seat_and_no_other_does(calls: Calls) -> None:
    owner, friend, stranger = await calls.guests(3)
    match_id = await guarded(owner)

    assert (await friend.join(match_id, password=PASSWORD)).seat == 1
    for wrong in ("", "кладезь-42", PASSWORD + " "):
        failure = await failure_of(stranger.join(match_id, password=wrong))
        assert (failure.code, failure.reason) == (StatusCode.PERMISSION_DENIED, "PASSWORD_WRONG")


async def test_letters_written_in_two_ways_are_the_same_letters(calls: Calls) -> None:
    owner, friend = await calls.guests(2)
    made = await owner.create(password="caf\u00e9")

    assert (await friend.join(made.info.match_id, password="cafe\u0301")).seat == 1


async def test_who_has_the_code_or_a_seat_needs_no_password(calls: Calls) -> None:
    owner, friend = await calls.guests(2)
    match_id = await guarded(owner)
    code = (await owner.look(match_id)).info.invite_code

    assert (await friend.join(invite_code=code)).seat == 1
    assert (await friend.join(match_id)).seat == 1


async def test_the_lobby_says_which_matches_have_one_and_leaves_them_out_if_asked_to(
    calls: Calls,
) -> None:
    owner, other = await calls.guests(2)
    guarded_id = await guarded(owner)
    open_id = (await owner.create(rules={"seats": 3})).info.match_id

    listed = {info.match_id: info.has_password for info in (await other.matches()).matches}
    without = await other.matches(filter={"has_no_password": True})

    assert listed == {guarded_id: True, open_id: False}
    assert [info.match_id for info in without.matches] == [open_id]
    assert (await other.quick(rules={"seats": 3})).info.match_id == open_id


MALFORMED = [
    {"password": "x" * 65},
    {"password": "tab\t"},
    {"password": "turned\u202e"},
    {"password": PASSWORD, "visibility": "VISIBILITY_UNLISTED"},
]


@pytest.mark.parametrize("fields", MALFORMED)
async def test_a_password_that_cannot_be_one_is_refused(
    calls: Calls, fields: dict[str, str]
) -> None:
    failure = await failure_of((await calls.guest()).create(**fields))

    assert (failure.code, failure.fields) == (StatusCode.INVALID_ARGUMENT, ("password",))


async def test_one_player_guesses_so_often_and_others_are_not_held_up() -> None:
    # Of so slow a flow a minute's worth is one: the burst.
    async with running_server(passwords_per_second=0.001) as server, connected(server) as calls:
        owner, guesser, friend = await calls.guests(3)
        match_id = await guarded(owner)
        assert (await failure_of(guesser.join(match_id, password="1"))).reason == "PASSWORD_WRONG"

        failure = await failure_of(guesser.join(match_id, password=PASSWORD))

        assert (failure.code, failure.reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
        assert failure.metadata == {"limit": "passwords_per_second"}
        assert failure.retry_seconds == pytest.approx(1000, abs=5)
        assert metric(server, "durak_rate_limited_total", limit="passwords_per_second") == 1
        assert (await friend.join(match_id, password=PASSWORD)).seat == 1


async def test_a_new_name_for_each_guess_is_no_way_round_it() -> None:
    limits = {"address_passwords_per_second": 0.05}
    async with running_server(**limits) as server, connected(server) as calls:
        owner, *guessers = await calls.guests(4)
        match_id = await guarded(owner)

        failures = [await failure_of(guest.join(match_id, password="1")) for guest in guessers]

    assert [failure.reason for failure in failures] == [
        *("PASSWORD_WRONG", "PASSWORD_WRONG"),
        "RATE_LIMITED",
    ]
    assert failures[-1].metadata == {"limit": "address_passwords_per_second"}


async def test_a_repeated_join_gets_its_first_answer_also_after_a_restart(
    tmp_path: Path,
) -> None:
    kept = {"store": "sqlite", "data": tmp_path}
    async with running_server(**kept) as server, connected(server) as calls:
        owner, friend, stranger = await calls.guests(3)
        match_id = await guarded(owner, request_id="make")
        joined = await friend.join(match_id, password=PASSWORD, request_id="join")
    async with running_server(**kept) as server, connected(server) as calls:
        owner, friend, stranger = (
            Guest(calls, guest.name, guest.player_id, guest.token)
            for guest in (owner, friend, stranger)
        )
        assert await guarded(owner, request_id="make") == match_id
        assert await friend.join(match_id, password=PASSWORD, request_id="join") == joined
        assert (await failure_of(stranger.join(match_id))).reason == "PASSWORD_WRONG"
        assert (await stranger.join(match_id, password=PASSWORD)).seat == 2


async def test_it_is_written_nowhere(tmp_path: Path, lines: io.StringIO) -> None:
    async with (
        running_server(store="sqlite", data=tmp_path) as server,
        connected(server) as calls,
    ):
        owner, stranger = await calls.guests(2)
        match_id = await guarded(owner)
        failure = await failure_of(stranger.join(match_id, password="guess-it"))
        answers = [await owner.look(match_id), await stranger.matches()]

    written = await asyncio.to_thread(lambda: b"".join(map(Path.read_bytes, tmp_path.iterdir())))
    for word in (PASSWORD, "guess-it"):
        assert word.encode() not in written
        assert word not in lines.getvalue() + failure.text + str(failure.metadata)
        assert word.encode() not in b"".join(answer.SerializeToString() for answer in answers)
