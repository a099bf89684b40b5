"""A server killed in the middle of many matches loses nothing that it acknowledged."""

from pathlib import Path

from tests.crash.random_kills import Survived, kill_under_load

KILLS, MATCHES = 4, 20


async def test_matches_survive_a_server_that_is_killed_at_random_moments(tmp_path: Path) -> None:
    told: list[str] = []
    survived = await kill_under_load(tmp_path, KILLS, MATCHES, seed=1, tell=told.append)
    assert survived == Survived(
        KILLS, survived.matches, survived.acknowledged, survived.events, faults=[]
    )
    assert survived.matches >= MATCHES
    assert survived.acknowledged > 20 * MATCHES
