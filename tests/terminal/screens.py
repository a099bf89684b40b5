"""A real terminal, in tmux: what stands on its screen, and keys pressed in it."""

import asyncio
import os
import re
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

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

    async def screen_once(self, *texts: str, after: str = "") -> str:
        """Wait for a screen that contains all of `texts`, is not `after` and stays; return it.

        A program that is held up in the middle of drawing leaves a part of its screen for a
        while: whatever a test wants to find there belongs into `texts`.
        """
        screen, silent_seconds = "", 0
        while silent_seconds < LONGEST_PAUSE:
            screen = await self.screen()
            if all(text in screen for text in texts) and screen != after:
                # What is half drawn is another screen a moment later.
                if screen == await self.screen():
                    return screen
                continue
            try:
                await asyncio.wait_for(self._changes.read(65_536), 1)
                silent_seconds = 0
            except TimeoutError:
                silent_seconds += 1
        raise AssertionError(f"{texts} never came; the screen is\n{screen}")

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
    # A size that somebody exported would count for more than that of the terminal.
    inherited = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = await asyncio.create_subprocess_exec(
        *("tmux", "-u", "-f", "/dev/null", "-S", str(socket), *arguments),
        stdout=asyncio.subprocess.PIPE,
        env=inherited | {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color"},
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
    """Play a match to its end by first numbers and want no other; return the last screen."""
    await play_to_the_question(tty)
    await tty.type("n")
    return await tty.screen_once("exit code")


async def play_to_the_question(tty: Terminal) -> None:
    """Type the first number on each screen that asks for a move, until the match is over."""
    answered = ""
    while True:
        screen = await tty.screen_once()
        while "Another match?" not in screen:
            if "Your move (" in screen and without_prompt(screen) != answered:
                break
            screen = await tty.screen_once(after=screen)
        else:
            return
        numbers = NUMBERED.findall(screen)
        assert numbers, screen
        answered = without_prompt(screen)
        await tty.type(numbers[0])
