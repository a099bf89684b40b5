import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from durak_client import Event, Lost, Match, play
from durak_client.matches import MatchStatus
from tests.client.players import QUICK, Chooser, player, whole_log
from tests.server_process import ServerProcess, served

KILLED_AFTER = (8, 30, 50)
# Calls give up before a killed server is back.
IMPATIENT = replace(QUICK, deadline=timedelta(seconds=0.3))


async def killing_follower(match: Match, server: ServerProcess, lost: list[Lost]) -> list[Event]:
    """Follow the match, and kill the server when some events have been seen."""
    seen: list[Event] = []
    kills = iter([*KILLED_AFTER, 10**9])
    kill_after = next(kills)
    async for update in match.follow(on_lost=lost.append):
        seen.extend(update.events)
        if update.sequence >= kill_after:
            kill_after = next(kills)
            await asyncio.to_thread(server.restart)
    return seen


async def test_players_and_followers_live_through_killed_servers(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with (
            player(server.port, "Vasya") as vasya,
            player(server.port, "Boris") as boris,
            player(server.port, "Watcher") as watcher,
            player(server.port, token=vasya.token, patience=IMPATIENT) as vasyas_bot,
            player(server.port, token=boris.token, patience=IMPATIENT) as boriss_bot,
        ):
            match = await vasya.create_match(seats=3, start_when_full=True)
            await match.add_bot("random")
            await boris.join(match.match_id)
            watched = watcher.match(match.match_id)
            lost: list[Lost] = []
            mine, his, seen = await asyncio.gather(
                play(vasyas_bot, match.match_id, Chooser(1)),
                play(boriss_bot, match.match_id, Chooser(2)),
                killing_follower(watched, server, lost),
            )
            log = await whole_log(watched)
        assert seen == log
        assert [event.sequence for event in log] == list(range(1, len(log) + 1))
        assert (mine.status, mine.fools) == (MatchStatus.FINISHED, his.fools)
        assert len(lost) >= len(KILLED_AFTER)
