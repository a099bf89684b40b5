"""Playing matches by a function that chooses."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import aclosing

from durak_client.client import Client
from durak_client.errors import RuleRefused, Stale, Unavailable
from durak_client.match import Match
from durak_client.moves import LegalMove, Move
from durak_client.seeding import answer_commitment
from durak_client.view import View

Choose = Callable[[View], Move | LegalMove]
"""Chooses among `view.legal_moves`, which is never empty; a group stands for its lowest move."""


async def play(client: Client, match: Match | str, choose: Choose) -> View:
    """Play the caller's seat of `match` to its end by `choose`; return the last view.

    Lost connections are made again, for as long as it takes. A move that others made impossible in
    the meantime, or that may not have arrived, is chosen anew, on the view as it is then. Each deal
    after the first gets a random seed of the player's own.

    Raises:
        Refused: the match cannot be followed, or `choose` chose what is not legal.
    """
    match = client.match(match) if isinstance(match, str) else match
    moved_at = 0
    async with aclosing(match.follow(view_mode="on_turn")) as updates:
        async for update in updates:
            view = update.view
            await answer_commitment(match, update.events)
            if view is not None and view.legal_moves and view.sequence >= moved_at:
                moved_at = await _move(match, view, choose)
            if update.is_final:
                return view or await match.view()
    return await match.view()


async def play_many(client: Client, matches: Iterable[Match | str], choose: Choose) -> list[View]:
    """Play the caller's seats of all `matches` to their ends, as `play` does; return last views.

    One stream serves them all: a server lets it follow so many, 1,000 by default.

    Raises:
        Refused: as `play`; what is left of the other matches is not played.
    """
    async with client.stream() as stream:
        games = [
            asyncio.create_task(play(client, stream.match(match), choose)) for match in matches
        ]
        try:
            return await asyncio.gather(*games)
        finally:
            for game in games:
                game.cancel()
            await asyncio.gather(*games, return_exceptions=True)


async def _move(match: Match, view: View, choose: Choose) -> int:
    """Make a move if there still is one to make; return the sequence after it."""
    while view.legal_moves:
        chosen = choose(view)
        try:
            events = await match.move(
                chosen.lowest(view.trump) if isinstance(chosen, LegalMove) else chosen
            )
        except (RuleRefused, Stale):
            newer = await _view_once_back(match)
            if newer.sequence == view.sequence:
                raise
            view = newer
        except Unavailable:
            view = await _view_once_back(match)
        else:
            return events[-1].sequence
    return view.sequence


async def _view_once_back(match: Match) -> View:
    """Return the view as soon as a server answers, however long that takes."""
    while True:
        try:
            return await match.view()
        except Unavailable:
            continue
