"""Players at a real server, and a whole match of theirs."""

import random
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from durak_client import Client, Event, Match, Move, Patience, View

QUICK = Patience(first_wait=timedelta(milliseconds=5), longest_wait=timedelta(milliseconds=50))
PERSISTENT = replace(QUICK, deadline=timedelta(seconds=90))
"""Goes on asking while a server is started again, also on a slow machine."""


@asynccontextmanager
async def player(
    port: int, name: str = "Vasya", *, token: str = "", patience: Patience = QUICK
) -> AsyncIterator[Client]:
    """Connect a guest."""
    target = f"127.0.0.1:{port}"
    async with await Client.connect(target, name=name, token=token, patience=patience) as client:
        yield client


async def match_with_bot(client: Client) -> Match:
    """Begin a match of two against a house bot."""
    match = await client.create_match("podkidnoy", seats=2)
    await match.add_bot("random")
    await match.start()
    return match


class Chooser:
    """Chooses low cards at random, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, view: View) -> Move:
        return self._random.choice([group.lowest(view.trump) for group in view.legal_moves])


async def whole_log(match: Match) -> list[Event]:
    """Return every event of a match that is over, as one undisturbed stream tells it."""
    events: list[Event] = []
    async with aclosing(match.follow()) as updates:
        async for update in updates:
            events.extend(update.events)
    return events
