"""Record a store of today's schema, as SQL: `make record-store`, once for each new version.

Some short matches are played on a real server: one over, one open, one in its middle with a clock
that runs, one left by a player, and one with a rematch. The tests open the recorded stores for
ever (tests/store/test_schemas.py).
"""

import asyncio
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from durak_client import Client, Match, play
from durak_server.app import serving
from durak_server.config import load_settings
from durak_server.observe.logs import set_up_logging
from durak_server.store.schema import MIGRATIONS

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "store" / "schemas"
MOVES = 4


async def main() -> int:
    """Record a store, unless there is one of this version; return the exit code."""
    target = FOLDER / f"version_{len(MIGRATIONS)}.sql"
    if target.exists():
        print(f"{target} is there; a recorded store is never made anew")
        return 1
    set_up_logging("error", as_json=False)
    with TemporaryDirectory() as data:
        await play_all(Path(data))
        with closing(sqlite3.connect(Path(data) / "durak.sqlite")) as store:
            target.write_text("\n".join(dumped(store)) + "\n", encoding="utf-8")
    print(f"recorded {target}")
    return 0


async def play_all(data: Path) -> None:
    """Play the matches on a server that keeps them in `data`."""
    settings = load_settings(
        listen="127.0.0.1:0",
        metrics_listen="",
        data=data,
        bot_delay_min_seconds=0,
        bot_delay_max_seconds=0,
        drain_settle_seconds=0,
    )
    async with serving(settings) as server:
        target = f"127.0.0.1:{server.port}"
        async with (
            await Client.connect(target, name="Vasya") as vasya,
            await Client.connect(target, name="Boris") as boris,
        ):
            await vasya.create_match(seats=3, visibility="unlisted")
            against_bot = await vasya.create_match(deck=24)
            await against_bot.add_bot()
            await against_bot.start()
            await play(vasya, against_bot.match_id, lambda view: view.legal_moves[0].lowest())
            await together(vasya, boris, turn_seconds=3600)
            await against_bot.rematch()
            left = await together(vasya, boris, turn_seconds=0)
            await left.leave()


async def together(owner: Client, guest: Client, turn_seconds: int) -> Match:
    """Begin a match of two and make some moves; return it."""
    match = await owner.create_match(start_when_full=True, turn_seconds=turn_seconds)
    both = match, await guest.join(match.match_id)
    for _ in range(MOVES):
        mover = both[bool((await both[1].view()).legal_moves)]
        await mover.move((await mover.view()).legal_moves[0])
    return match


def dumped(store: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements that make a store anew, its version included."""
    (version,) = store.execute("PRAGMA user_version").fetchone()
    yield f"PRAGMA user_version = {version};"
    for statement in store.iterdump():
        yield re.sub(r"\bX'([0-9A-F]+)'", _in_letters, statement)


def _in_letters(blob: re.Match[str]) -> str:
    """Return a BLOB of JSON so that people can read it, too."""
    text = bytes.fromhex(blob[1]).decode("utf-8").replace("'", "''")
    return f"CAST('{text}' AS BLOB)"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
