"""A process that plays matches into a store and prints what was acknowledged, until it is killed.

Usage: python -m tests.store.appender FILE. Each line is a match id and the sequence to which its
log was said to be kept.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from durak_server.matches import MatchStatus
from durak_server.store import SqliteStore
from tests.store.logs import log

PLAYERS_AT_A_TIME = 8


async def main(path: Path) -> None:
    store = await SqliteStore.open(path)
    await asyncio.gather(*(_play_for_ever(store, player) for player in range(PLAYERS_AT_A_TIME)))


async def _play_for_ever(store: SqliteStore, player: int) -> None:
    for number in count():
        played = log(f"m{player}-{number}", made=number, status=MatchStatus.FINISHED)
        for after in range(0, len(played.records), 2):
            last = min(after + 2, len(played.records))
            await played.keep(store, after, last)
            print(played.match_id, last, flush=True)  # noqa: T201  # what the parent reads


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
