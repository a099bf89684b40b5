"""`durak play` in a real terminal: the test reads the screen and types what it read there."""

import asyncio
import os
import re
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.live_server import running_server
from tests.terminal.commands import DURAK

COLUMNS, ROWS = 80, 24
LONGEST_PAUSE = 20  # seconds
NUMBERED = re.compile(r"(?:^|\s)(\d+) (?:(?:10|[2-9JQKA])[♠♥♦♣]|Take|Pass)")
RESULT = re.compile(r"^(?:You are|\w+ is) the fool\.$|^A draw: nobody is the fool\.$", re.MULTILINE)


class Terminal:
    """A terminal of 80 by 24 in tmux; it tells of each change of its screen through a pipe."""

    def __init__(self, socket: Path, changes: asyncio.StreamReader) -> None:
        self._socket = socket
        self._changes = changes

    async def screen(self) -> str:
        """Return what stands on the screen."""
        return await tmux(self._socket, "capture-pane", "-p", "-t", "play")

    async def screen_once(self, text: str, after: str = "") -> str:
        """Wait for a screen that contains `text` and is not `after`; return it."""
        while True:
            screen = await self.screen()
            if text in screen and screen != after:
                return screen
            try:
                await asyncio.wait_for(self._changes.read(65_536), LONGEST_PAUSE)
            except TimeoutError:
                raise AssertionError(f"{text!r} never came; the screen is\n{screen}") from None

    async def type(self, line: str) -> None:
        """Press the keys of `line`, then Enter."""
        await tmux(self._socket, "send-keys", "-t", "play", "-l", line)
        await self.press("Enter")

    async def press(self, key: str) -> None:
        """Press one key by its name."""
        await tmux(self._socket, "send-keys", "-t", "play", key)

    async def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        size = ("-x", str(columns), "-y", str(rows))
        await tmux(self._socket, "resize-window", "-t", "play", *size)


async def tmux(socket: Path, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *("tmux", "-u", "-f", "/dev/null", "-S", str(socket), *arguments),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"},
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, arguments
    return out.decode()


@asynccontextmanager
async def terminal(folder: Path, command: str) -> AsyncIterator[Terminal]:
    """Run a shell command in a terminal of its own."""
    socket, pipe = folder / "tmux", folder / "changes"
    os.mkfifo(pipe)
    # Opened for writing too, so that opening waits for nobody.
    changes, transport = await reader_of(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
    size = ("-x", str(COLUMNS), "-y", str(ROWS))
    await tmux(socket, "new-session", "-d", "-s", "play", *size, f"read start; {command}; cat")
    try:
        await tmux(socket, "pipe-pane", "-t", "play", f"cat > {shlex.quote(str(pipe))}")
        tty = Terminal(socket, changes)
        await tty.type("")
        yield tty
    finally:
        await tmux(socket, "kill-server")
        transport.close()


async def reader_of(descriptor: int) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
    )
    return reader, transport


def play(state: Path, port: int, *options: str) -> str:
    command = shlex.join([str(DURAK), "play", "--server", f"127.0.0.1:{port}", *options])
    return f"XDG_STATE_HOME={shlex.quote(str(state))} {command}; echo exit code $?"


def without_prompt(screen: str) -> str:
    return "\n".join(row for row in screen.splitlines() if "Your move (" not in row)


async def play_first_moves(tty: Terminal) -> str:
    """Type the first number on each screen that asks, up to the end; return the last screen."""
    answered = ""
    while True:
        screen = await tty.screen_once("")
        while "exit code" not in screen:
            if "Your move (" in screen and without_prompt(screen) != answered:
                break
            screen = await tty.screen_once("", after=screen)
        else:
            return screen
        numbers = NUMBERED.findall(screen)
        assert numbers, screen
        answered = without_prompt(screen)
        await tty.type(numbers[0])


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
        await tty.screen_once("Your seat is kept. Come back with: durak play --resume")
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
        screen = await tty.screen_once("min = 1")
        assert "Come back with: durak play --resume\nexit code 130\n" in screen
        assert " icanon " in screen
        assert " echo " in screen


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
