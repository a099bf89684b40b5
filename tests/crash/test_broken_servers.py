"""The judge of histories convicts real servers in which one part breaks a promise, and no other."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from durak_client import DurakError
from tests.client.players import QUICK
from tests.crash.broken_parts import (
    ForgetfulHistory,
    FullStore,
    HastyMatch,
    HastyStore,
)
from tests.crash.history import History, faults
from tests.crash.recorded_play import Progress, play_recorded
from tests.crash.stored_logs import stored_logs
from tests.live_server import running_server

MATCHES = 2
IMPATIENT = replace(QUICK, deadline=timedelta(seconds=9))

STORE = "durak_server.app.SqliteStore"
HISTORY = "durak_server.runtime.live_matches.History"
MATCH = "durak_server.runtime.live_matches.LiveMatch"

SOUND: list[Mapping[str, type]] = [{}, {STORE: FullStore}]
BROKEN: list[tuple[Mapping[str, type], str]] = [
    # acknowledges, then stores, and ends in between
    ({STORE: HastyStore}, "was acknowledged with"),
    # forgets request ids: the repeat of a move is judged anew
    ({HISTORY: ForgetfulHistory}, "is in the log"),
    # shows, then stores, and there is no room
    ({STORE: FullStore, MATCH: HastyMatch}, "where the log has"),
]


async def judged(data: Path) -> list[str]:
    """Play in a server on a file and return what the judge finds."""
    history = History()
    async with running_server(store="sqlite", data=data) as server:
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(MATCHES):
                    play = play_recorded(
                        server.port, number, history, Progress(), repeats=2, patience=IMPATIENT
                    )
                    group.create_task(play)
        except* DurakError:
            pass  # nobody plays on for ever with a server that lies, or whose disk is full
    return faults(history, await stored_logs(data, {seen.match_id for seen in history.watched}))


def install(parts: Mapping[str, type], monkeypatch: pytest.MonkeyPatch) -> None:
    for place, part in parts.items():
        monkeypatch.setattr(place, part)


@pytest.mark.parametrize("parts", SOUND)
async def test_a_sound_server_is_acquitted(
    parts: Mapping[str, type], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(parts, monkeypatch)
    assert await judged(tmp_path) == []


@pytest.mark.parametrize(("parts", "fault"), BROKEN)
async def test_a_broken_server_is_convicted_of_what_it_does(
    parts: Mapping[str, type], fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(parts, monkeypatch)
    found = await judged(tmp_path)
    assert [sentence for sentence in found if fault in sentence]
