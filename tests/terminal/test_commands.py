"""The commands around a match, and what they say when something is wrong."""

import json
import re
import signal
from pathlib import Path

import pytest

from durak_client import Admission
from tests.api.operators import OPERATED, operating
from tests.client.players import player
from tests.live_server import running_server
from tests.terminal.commands import begin, durak, end, read_until

COMMANDS = ["play", "watch", "matches", "verify", "replay", "render", "export"]


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
async def test_every_help_has_an_example(command: tuple[str, ...], tmp_path: Path) -> None:
    shown = await durak(tmp_path, *command, "--help")
    assert shown.code == 0
    assert "Example: durak " in shown.out


async def test_the_version_is_shown(tmp_path: Path) -> None:
    shown = await durak(tmp_path, "--version")
    assert (shown.code, re.fullmatch(r"durak \d+\.\d+\.\d+\n", shown.out) is not None) == (0, True)


async def test_matches_are_listed_for_people_and_for_programs(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        address = ("--server", f"127.0.0.1:{server.port}")
        none = await durak(tmp_path, "matches", *address)
        first = await vasya.create_match("podkidnoy", seats=2)
        second = await vasya.create_match("prostoy", seats=3)
        table = await durak(tmp_path, "matches", *address)
        listed = await durak(tmp_path, "matches", "--json", "--preset", "prostoy", *address)
        mine = await durak(tmp_path, "matches", "--mine", "--json", *address)
    assert none.out == "There are no matches. `durak play` starts one.\n"
    heading, *rows = table.out.splitlines()
    assert heading.split() == ["match", "state", "rules", "seats", "made"]
    assert [row.split()[:3] for row in rows if row[0] != " "] == [
        [second.match_id, "open", "prostoy"],
        [first.match_id, "open", "podkidnoy"],
    ]
    (row,) = json.loads(listed.out)
    assert row["match_id"] == second.match_id
    assert (row["status"], row["preset"], row["seats"], row["free_seats"], row["players"]) == (
        *("OPEN", "PROSTOY", 3, 2),
        ["Vasya"],
    )
    assert json.loads(mine.out) == []


async def test_matches_that_are_over_are_listed_where_asked_for(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        gone = await vasya.create_match("podkidnoy", seats=2)
        await gone.leave()
        still = await vasya.create_match("podkidnoy", seats=2)
        address = ("--json", "--server", f"127.0.0.1:{server.port}")
        open_ones = await durak(tmp_path, "matches", *address)
        over = await durak(tmp_path, "matches", "--over", *address)
        both = await durak(tmp_path, "matches", "--over", "--watch", *address)
    assert [row["match_id"] for row in json.loads(open_ones.out)] == [still.match_id]
    (row,) = json.loads(over.out)
    assert (row["match_id"], row["status"]) == (gone.match_id, "ABANDONED")
    assert (both.code, "--watch excludes" in both.err) == (2, True)


async def test_a_help_breaks_no_sentence_of_its_own(tmp_path: Path) -> None:
    shown = await durak(tmp_path, "verify", "--help")
    assert "\n Exit code 4: a deal was not fair; 5: one cannot be proven. " in shown.out


async def test_matches_are_listed_that_one_can_join(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        full = await vasya.create_match("podkidnoy", seats=2)
        await full.add_bot()
        free = await vasya.create_match("podkidnoy", seats=2)
        guarded = await vasya.create_match(seats=2, admission=Admission(password="kladez"))
        address = ("--json", "--server", f"127.0.0.1:{server.port}")
        listed = {
            options: await durak(tmp_path, "matches", *options, *address)
            for options in ((), ("--free",), ("--no-password",), ("--free", "--no-password"))
        }
    found = {
        options: {row["match_id"] for row in json.loads(ended.out)}
        for options, ended in listed.items()
    }
    assert found == {
        (): {full.match_id, free.match_id, guarded.match_id},
        ("--free",): {free.match_id, guarded.match_id},
        ("--no-password",): {full.match_id, free.match_id},
        ("--free", "--no-password"): {free.match_id},
    }


async def test_the_lobby_is_watched_until_the_command_is_interrupted(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        match = await vasya.create_match("prostoy", seats=3)
        address = ("--server", f"127.0.0.1:{server.port}")
        lines = await begin(tmp_path / "lines", "matches", "--watch", *address)
        objects = await begin(tmp_path / "json", "matches", "--watch", "--json", *address)
        await read_until(lines, "Vasya")
        await read_until(objects, '"change": "added"')

        await match.add_bot()
        await read_until(lines, "2/3")
        changed = json.loads(await read_until(objects, "{"))
        await match.leave()
        gone = await read_until(lines, "gone")
        removed = json.loads(await read_until(objects, "{"))

        for process in (lines, objects):
            process.send_signal(signal.SIGINT)
            assert (await end(process)).code == 130
    assert (changed["change"], changed["match_id"]) == ("changed", match.match_id)
    assert (removed["change"], removed["match_id"]) == ("removed", match.match_id)
    assert gone.splitlines()[-1] == f"{match.match_id}  gone"


async def test_no_server_is_said_in_one_line(tmp_path: Path) -> None:
    failed = await durak(tmp_path, "matches", "--server", "127.0.0.1:1")
    assert (failed.code, failed.out) == (3, "")
    assert failed.err == (
        "No server answers at 127.0.0.1:1. `durak-server serve` starts one; "
        "--server names another.\n"
    )


NAMED_WRONGLY = [
    # --server                 code  said
    ("http://localhost:50051", 1, "a server is named HOST:PORT, not 'http://localhost:50051'\n"),
    ("https://durak.example", 1, "a server is named HOST:PORT, not 'https://durak.example'\n"),
    ("localhost", 3, "No server answers at localhost (port 443, as no other is named). `durak-"),
]


@pytest.mark.parametrize(("server", "code", "said"), NAMED_WRONGLY)
async def test_who_names_a_server_wrongly_is_told_how(
    server: str, code: int, said: str, tmp_path: Path
) -> None:
    failed = await durak(tmp_path, "matches", "--server", server)
    assert (failed.code, failed.out) == (code, "")
    assert failed.err.startswith(said)


@pytest.mark.parametrize("wanted", [(), ("--quick",)])
async def test_a_server_that_is_being_replaced_says_so_in_one_line(
    tmp_path: Path, wanted: tuple[str, ...]
) -> None:
    async with running_server(**OPERATED) as server, operating(server) as operator:
        await operator.drain()
        address = f"127.0.0.1:{server.port}"
        failed = await durak(tmp_path, "play", *wanted, "--server", address)
    assert (failed.code, failed.out) == (3, "")
    assert failed.err == (
        f"{address} says: The server is being replaced and takes no new matches; "
        "come again in 2 seconds.\n"
    )


WRONG = [
    # command                                              code  said
    (("play", "--join", "nowhere"), 1, "There is no match 'nowhere' that you could see.\n"),
    (("watch", "nowhere"), 1, "There is no match 'nowhere' that you could see.\n"),
    (("play", "--seats", "6", "--deck", "24"), 1, "The server refused: rules"),
    (("play", "--name", "x" * 41), 1, "The server refused: name"),
    (("play", "--ca", "/nowhere/ca.pem"), 1, "[Errno 2] No such file"),
    (("play", "--preset", "whist"), 2, "Usage: durak play"),
    (("play", "--rule", "whist=on"), 2, "Usage: durak play"),
    (("play", "--seats", "7"), 2, "Usage: durak play"),
    (("play", "--resume", "--join", "K7QM2A"), 2, "Usage: durak play"),
]


@pytest.mark.parametrize(("command", "code", "said"), WRONG)
async def test_what_is_wrong_is_said_without_a_traceback(
    command: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    async with running_server() as server:
        failed = await durak(tmp_path, *command, "--server", f"127.0.0.1:{server.port}")
    assert (failed.code, failed.out) == (code, "")
    assert failed.err.startswith(said)
    assert code == 2 or failed.err.count("\n") == 1


async def test_a_guest_whose_token_is_over_is_made_anew(tmp_path: Path) -> None:
    async with running_server() as first:
        port = first.port
        await durak(tmp_path, "play", "--plain", "--server", f"127.0.0.1:{port}")
    async with running_server(listen=f"127.0.0.1:{port}"):
        played = await durak(tmp_path, "play", "--plain", "--server", f"127.0.0.1:{port}")
    assert (played.code, played.last_line) == (0, "You left the match.")


async def test_a_guest_who_cannot_be_kept_plays_all_the_same(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    async with running_server() as server:
        address = f"127.0.0.1:{server.port}"
        played = await durak(no_folder, "play", "--plain", "--server", address, typed="1\n")
    assert (played.code, played.last_line) == (0, "You left the match.")
    assert played.err.startswith("You will not be known when you come back: ")
    assert played.err.count("\n") == 1


async def test_two_who_want_the_same_match_are_brought_together(tmp_path: Path) -> None:
    async with running_server() as server, player(server.port, "Vasya") as vasya:
        address = ("--server", f"127.0.0.1:{server.port}", "--plain")
        process = await begin(tmp_path, "play", "--quick", "--preset", "prostoy", *address)
        await read_until(process, "Waiting for players.")
        match = await vasya.quick_match("prostoy")
        assert match.seat == 1
        await read_until(process, "The match starts.")
        process.terminate()
        await process.wait()


async def test_one_way_to_a_seat_is_taken_at_a_time(tmp_path: Path) -> None:
    refused = await durak(tmp_path, "play", "--quick", "--open")
    assert refused.code == 2
    assert "exclude each other" in refused.err
