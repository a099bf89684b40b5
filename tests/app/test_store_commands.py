"""The commands for a store: what they print, and how they end."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from grpc import aio

from durak_server.store.archive import unpack_match
from tests.app.commands import Ended, run, serving
from tests.live_server import Calls, play_to_the_end, started_match


async def serve_matches(data: Path, *commands: tuple[str, ...]) -> list[Ended]:
    """Serve until `over` is played out and `open` is made; run commands meanwhile."""
    with serving(data) as server:
        async with aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            players = await Calls(channel).guests(2)
            await started_match(2, players, match_id="over")
            await play_to_the_end("over", players)
            await players[0].create(match_id="open")
        ended = [run(*command, "--data", str(data)) for command in commands]
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)
    return ended


async def test_a_store_is_looked_at_and_copied_while_it_is_served(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    checked, listed, shown, archived, backed_up, refused = await serve_matches(
        data,
        ("log", "check"),
        ("log", "list"),
        ("log", "show", "open"),
        ("log", "archive", "--older-than", "0d"),
        ("backup", str(copy)),
        ("restore", str(copy), "--replace"),
    )
    assert checked == Ended(0, "2 sound, 0 not\n", "")
    heading, *rows = [line.split() for line in listed.output.splitlines()]
    assert heading == ["match", "state", "rules", "players", "events", "changed"]
    assert [row[:3] for row in rows] == [
        ["open", "open", "podkidnoy"],
        ["over", "finished", "podkidnoy"],
    ]
    first, second, *_ = shown.output.splitlines()
    assert first.startswith('1\t{"event":"match_created"')
    assert second.startswith('2\t{"event":"')
    for locked in (archived, refused):
        assert (locked.code, locked.output) == (1, "")
        assert locked.errors.endswith("durak.sqlite is in use by another process\n")
    assert backed_up == Ended(0, f"{copy} holds the store as it was now\n", "")

    restored = tmp_path / "restored"
    assert run("restore", str(copy), "--data", str(restored)).code == 0
    assert run("log", "check", "--data", str(restored)) == checked
    assert run("log", "list", "--data", str(restored)) == listed
    again = run("restore", str(copy), "--data", str(restored))
    assert (again.code, again.errors) == (
        1,
        f"durak-server: {restored / 'durak.sqlite'} is there already\n",
    )


async def test_a_list_that_is_piped_has_one_line_for_each_match(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            (player,) = await Calls(channel).guests(1)
            created = [await player.create(preset="PRESET_PODKIDNOY_FOLK") for _ in range(2)]
        listed = run("log", "list", "--data", str(tmp_path))

    rows = listed.output.splitlines()[1:]
    assert {row.split()[0] for row in rows} == {match.info.match_id for match in created}
    assert all("podkidnoy_folk" in row for row in rows)


async def test_old_matches_are_archived(tmp_path: Path) -> None:
    await serve_matches(tmp_path)
    data = ("--data", str(tmp_path))
    young = run("log", "archive", "--older-than", "1d", *data)
    assert young == Ended(0, "0 archived, 0 kept\n", "")
    old = run("log", "archive", "--older-than", "0h", *data)
    assert old == Ended(0, "1 archived, 0 kept\n", "")
    records = unpack_match((tmp_path / "archive" / "over.json.gz").read_bytes())
    assert [record.sequence for record in records] == list(range(1, len(records) + 1))
    assert run("log", "check", *data).output == "1 sound, 0 not\n"
    assert run("log", "show", "over", *data).errors == "durak-server: there is no match over\n"


async def test_what_is_not_sound_is_told_and_stays(tmp_path: Path) -> None:
    await serve_matches(tmp_path)
    with closing(sqlite3.connect(tmp_path / "durak.sqlite")) as connection:
        connection.execute("DELETE FROM records WHERE match_id = 'over' AND sequence = 5")
        connection.commit()
    data = ("--data", str(tmp_path))
    said = "over: record 5 is missing\n"
    assert run("log", "check", *data) == Ended(1, f"{said}1 sound, 1 not\n", "")
    archived = run("log", "archive", "--older-than", "0d", *data)
    assert archived == Ended(1, f"{said}0 archived, 1 kept\n", "")
    assert run("log", "show", "over", *data).code == 0


async def test_a_record_whose_time_has_no_zone_is_not_sound(tmp_path: Path) -> None:
    await serve_matches(tmp_path)
    with closing(sqlite3.connect(tmp_path / "durak.sqlite")) as connection:
        connection.execute(
            "UPDATE records SET body = CAST(json_set(body, '$.at', '2026-11-30T12:00:00') AS BLOB)"
            " WHERE match_id = 'over' AND sequence = 5"
        )
        connection.commit()
    data = ("--data", str(tmp_path))
    said = "over: record 5: Expected `datetime` with a timezone component - at `$.at`\n"
    assert run("log", "check", *data) == Ended(1, f"{said}1 sound, 1 not\n", "")
    assert run("log", "archive", "--older-than", "0d", *data).output.startswith(said)


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (("log", "check"), 1, "durak-server: there is no store at "),
        (("log", "list"), 1, "durak-server: there is no store at "),
        (("log", "archive", "--older-than", "1d"), 1, "durak-server: there is no store at "),
        (("log", "archive", "--older-than", "soon"), 2, "Usage: "),
        (("backup", "copy.sqlite"), 1, "durak-server: there is no store at "),
        (("restore", "copy.sqlite"), 1, "durak-server: there is no store at copy.sqlite"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_leaves_no_half_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    ended = run(*command, "--data", str(tmp_path / "data"))
    assert (ended.code, ended.output) == (code, "")
    assert ended.errors.startswith(said)
    left = {file.name for file in tmp_path.rglob("*") if file.is_file()}
    assert left <= {"durak.sqlite.lock"}
