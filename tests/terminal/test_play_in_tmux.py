"""`durak play` in a real terminal: the test reads the screen and types what it read there."""

from pathlib import Path

from tests.client.players import player
from tests.live_server import running_server
from tests.terminal.screens import (
    RESULT,
    ROWS,
    play,
    play_first_moves,
    play_to_the_question,
    terminal,
    without_prompt,
)


async def test_a_match_is_played_to_the_fool_by_what_the_screen_says(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        terminal(tmp_path, play(tmp_path, server.port, "--seats", "3", "--name", "Vasya")) as tty,
    ):
        first = await tty.screen_once("Your move (")
        title, *rows = first.splitlines()
        assert title.startswith("Podkidnoy · deal 1 · bout ")
        assert len(rows) == ROWS - 1
        last = await play_first_moves(tty)
        assert RESULT.search(last)
        assert "exit code 0" in last


async def test_who_says_yes_plays_another_match(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        terminal(tmp_path, play(tmp_path, server.port, "--name", "Vasya")) as tty,
    ):
        await play_to_the_question(tty)
        await tty.type("y")
        table = await tty.screen_once("Your move (")
        assert table.startswith("Podkidnoy · deal 1 · bout ")
        await tty.type("q")
        await tty.screen_once("Quit: l leaves")
        await tty.type("l")
        await tty.screen_once("You left the match.\nexit code 0")


async def test_help_quitting_and_coming_back_work_at_the_prompt(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        terminal(
            tmp_path,
            f"{play(tmp_path, server.port)}; read; {play(tmp_path, server.port, '--resume')}",
        ) as tty,
    ):
        table = await tty.screen_once("Your move (")
        await tty.type("h")
        await tty.screen_once("Type the number of a move.")
        await tty.type("")
        assert without_prompt(await tty.screen_once("Your move (")) == without_prompt(table)
        await tty.type("7?")
        await tty.screen_once("That is no legal move now; h is help.")
        await tty.type("q")
        await tty.screen_once("Quit: l leaves the match for good")
        await tty.type("k")
        come_back = f"durak play --resume --server 127.0.0.1:{server.port}"
        await tty.screen_once(f"Your seat is kept. Come back with: {come_back}")
        await tty.type("")
        again = await tty.screen_once("Your move (")
        assert again.splitlines()[0] == table.splitlines()[0]
        await tty.type("q")
        await tty.screen_once("Quit: l leaves")
        await tty.type("l")
        await tty.screen_once("You left the match.\nexit code 0")


async def test_an_interrupted_player_keeps_his_seat_and_his_terminal(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        terminal(tmp_path, f"{play(tmp_path, server.port)}; stty -a") as tty,
    ):
        await tty.screen_once("Your move (")
        await tty.press("C-c")
        kept = f" durak play --resume --server 127.0.0.1:{server.port}\nexit code 130\n"
        await tty.screen_once(kept, " icanon ", " echo ")


async def test_the_table_is_drawn_anew_for_another_size(tmp_path: Path) -> None:
    async with (
        running_server() as server,
        terminal(tmp_path, play(tmp_path, server.port)) as tty,
    ):
        before = await tty.screen_once("Your move (")
        await tty.resize(120, 40)
        after = await tty.screen_once("─" * 70)
        title = before.splitlines()[0].rstrip("─")
        assert after.splitlines()[0] == title.ljust(120, "─")


async def test_the_owner_waits_removes_and_starts_by_what_he_types(tmp_path: Path) -> None:
    command = ("--open", "--ready", "--name", "Vasya")
    async with (
        running_server() as server,
        player(server.port, "Boris") as boris,
        player(server.port, "Galina") as galina,
        terminal(tmp_path, play(tmp_path, server.port, *command)) as tty,
    ):
        await tty.screen_once("2  free seat")
        (info,) = [info async for info in boris.matches()]
        await boris.join(info.match_id)
        await tty.screen_once("2  Boris")
        await tty.type("start")
        await tty.screen_once("Players are not ready, on seats: 1.")
        await tty.type("remove 2")
        await tty.screen_once("2  free seat")
        match = await galina.join(info.match_id)
        await match.set_ready()
        await tty.screen_once("2  Galina (ready)")
        await tty.type("ready")
        await tty.screen_once("deal 1 · bout 1")
