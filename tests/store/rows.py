"""Matches that a catalogue has by the thousand, without logs: enough for whoever lists them."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from durak_server.matches import MatchSummary
from durak_server.store import EventStore
from tests.matches.tabletop import NOON


def rows_of(
    kinds: Sequence[MatchSummary], number: int, first_made: datetime = NOON
) -> list[MatchSummary]:
    """Return so many matches, of each kind in turn, oldest first; two are made in a second."""
    made = [first_made + timedelta(seconds=index // 2) for index in range(number)]
    return [
        replace(
            kinds[index % len(kinds)],
            match_id=f"m{index:05}",
            invite_code=f"M{index:05}",
            created_at=moment,
            updated_at=moment,
        )
        for index, moment in enumerate(made)
    ]


async def keep_rows(store: EventStore, rows: Iterable[MatchSummary]) -> None:
    """Put matches into the catalogue, at most ten thousand at once."""
    await asyncio.gather(*(store.append(row.match_id, 0, (), row) for row in rows))
