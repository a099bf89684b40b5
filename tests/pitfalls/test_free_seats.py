"""What the lobby lists is what can be joined."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from tests.live_server import Calls, Guest, connected, failure_of, running_server

CHANGES = 150


async def change_something(players: list[Guest], dice: Random, made: list[str]) -> None:
    """Let somebody make, join, leave or start a match; a refusal changes nothing."""
    guest, deed = dice.choice(players), dice.choice(("make", "join", "join", "leave", "start"))
    if deed == "make" or not made:
        made.append((await guest.create(rules={"seats": dice.randint(2, 3)})).info.match_id)
        return
    match_id = dice.choice(made)
    calls: dict[str, Callable[[str], Coroutine[Any, Any, object]]] = {  # Any: as asyncio has it
        "join": guest.join,
        "leave": guest.leave,
        "start": guest.start,
    }
    await asyncio.wait([asyncio.ensure_future(calls[deed](match_id))])


async def listed(guest: Guest, **filter_: object) -> set[str]:
    """The matches of the whole list that pass a filter."""
    answer = await guest.matches(page_size=100, filter=filter_)
    assert not answer.next_page_token
    return {info.match_id for info in answer.matches}


async def takes(calls: Calls, match_id: str) -> bool:
    """Whether a match takes a player whom it does not know; he does not stay."""
    stranger = await calls.guest("Stranger")
    join = asyncio.ensure_future(stranger.join(match_id))
    await asyncio.wait([join])
    if join.exception() is None:
        await stranger.leave(match_id)
        return True
    assert (await failure_of(join)).reason in ("MATCH_FULL", "MATCH_OVER", "MATCH_STARTED")
    return False


async def test_what_is_listed_with_a_free_seat_takes_a_player_and_nothing_else_does() -> None:
    async with running_server() as server, connected(server) as calls:
        players, dice, made = await calls.guests(4), Random(5), list[str]()
        for _ in range(CHANGES):
            await change_something(players, dice, made)

        free = await listed(players[0], has_free_seat=True)
        taking = {match_id for match_id in made if await takes(calls, match_id)}

        assert free == taking
        assert 0 < len(free) < len(made)
