"""Rematches through the client library."""

from contextlib import aclosing

from durak_client import Client, Match, MatchStatus
from durak_client.events import Event, RematchMade, RematchOffered
from tests.client.players import Chooser, player
from tests.live_server import running_server


async def finished_match(one: Client, other: Client) -> tuple[Match, Match]:
    """Play a match of two to its end; return it as each holds it."""
    mine = await one.create_match(start_when_full=True)
    his = await other.join(mine.match_id)
    choose = Chooser(1)
    while True:
        for match in (mine, his):
            view = await match.view()
            if view.status.is_over:
                return mine, his
            if view.legal_moves:
                await match.move(choose(view))


async def test_a_rematch_is_offered_accepted_and_found_by_who_waits() -> None:
    async with (
        running_server() as server,
        player(server.port, "Vasya") as vasya,
        player(server.port, "Boris") as boris,
    ):
        mine, his = await finished_match(vasya, boris)
        after = (await mine.view()).sequence
        assert await mine.rematch() is None
        made = await his.rematch()
        assert made is not None
        events: list[Event] = []
        async with aclosing(mine.follow(after, rematch=True)) as updates:
            async for update in updates:
                events += update.events
        assert [event.fact for event in events] == [
            RematchOffered(0),
            RematchOffered(1),
            RematchMade(made.match_id),
        ]
        again = await mine.rematch()
        assert again is not None
        assert (again.match_id, again.client) == (made.match_id, vasya)
        view = await again.view()
        assert (view.status, view.seat) == (MatchStatus.PLAYING, 0)
        assert again.info is not None
        assert again.info.previous_match_id == mine.match_id
