"""`durak play --plain` where a person types: after a match he is asked for another."""

import json
import os
import pty
import re
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from durak_client.cli import words
from tests.live_server import running_server
from tests.terminal.commands import begin, durak, end, read_until

RESULT = re.compile(r"^(?:You are|\w+ is) the fool\.$|^A draw: nobody is the fool\.$", re.MULTILINE)


class Typist:
    """Types at a terminal what the lines of a process ask for."""

    def __init__(self, process: Process, keyboard: int) -> None:
        self.process = process
        self._keyboard = keyboard

    def type(self, line: str) -> None:
        os.write(self._keyboard, f"{line}\n".encode())

    async def play_to_the_question(self) -> str:
        """Type the first number whenever a move is asked for; return all that was told."""
        told = ""
        while words.ANOTHER_MATCH not in told:
            line = await read_until(self.process, "")
            if line.startswith(f"{words.PROMPT} ("):
                self.type("1")
            told += line
        return told


@asynccontextmanager
async def typist(state: Path, *arguments: str) -> AsyncIterator[Typist]:
    """Start the command with a terminal to type at; what it prints goes to a pipe."""
    keyboard, terminal = pty.openpty()
    try:
        process = await begin(state, *arguments, stdin=terminal)
        os.close(terminal)
        yield Typist(process, keyboard)
    finally:
        os.close(keyboard)


async def test_who_says_yes_plays_on_and_each_result_is_told_once(tmp_path: Path) -> None:
    async with running_server() as server:
        address = ("--server", f"127.0.0.1:{server.port}", "--deck", "24")
        async with typist(tmp_path, "play", "--plain", "--name", "Vasya", *address) as vasya:
            first = await vasya.play_to_the_question()
            vasya.type("y")
            again = await read_until(vasya.process, "Deal 1: ")
            second = again + await vasya.play_to_the_question()
            vasya.type("n")
            ended = await end(vasya.process)
    assert (ended.code, ended.err) == (0, "")
    assert words.WANTED in again
    for told in (first, second + ended.out):
        assert len(RESULT.findall(told)) == 1


async def test_who_is_done_is_told_how_to_look_back(tmp_path: Path) -> None:
    async with running_server() as server:
        address = ("--server", f"127.0.0.1:{server.port}")
        async with typist(tmp_path, "play", "--plain", "--deck", "24", *address) as vasya:
            await vasya.play_to_the_question()
            vasya.type("n")
            ended = await end(vasya.process)
        found = json.loads(
            (await durak(tmp_path, "matches", "--mine", "--over", "--json", *address)).out
        )
        *_, command = ended.last_line.partition("durak ")
        replayed = await durak(tmp_path, *command.split(), "--plain")
    assert (
        ended.last_line
        == f"Look back at it: durak replay {found[0]['match_id']} {' '.join(address)}"
    )
    assert (replayed.code, replayed.out.endswith("Match finished.\n")) == (0, True)
