"""The command `durak-server`: within this process, and as one of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from durak_server.cli import app

COMMAND = (sys.executable, "-m", "durak_server")


def environment(**variables: str) -> dict[str, str]:
    """This process's environment without settings of the server, and with these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DURAK_")}
    return kept | variables


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    output: str
    errors: str


def run(*arguments: str, **variables: str) -> Ended:
    """Run the command in this process, to its end."""
    unset: dict[str, str | None] = {name: None for name in os.environ if name.startswith("DURAK_")}
    result = CliRunner().invoke(app, arguments, env=unset | variables, catch_exceptions=False)
    return Ended(result.exit_code, result.stdout, result.stderr)


@dataclass
class Serving:
    """A process that serves."""

    process: subprocess.Popen[str]
    greeting: list[str]
    """The lines that it printed at its start."""
    port: int


@contextmanager
def serving(data: Path, *arguments: str, **variables: str) -> Iterator[Serving]:
    """Serve from a folder; whatever is still running at the end of the block is killed."""
    flags = ("--listen", "127.0.0.1:0", "--metrics-listen", "", "--data", str(data))
    process = subprocess.Popen(
        [*COMMAND, "serve", *flags, *arguments],
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        greeting = [process.stdout.readline().rstrip() for _ in range(3)]
        found = re.search(r"serves on [\d.]+:(\d+)", greeting[0])
        assert found, greeting
        yield Serving(process, greeting, int(found[1]))
    finally:
        process.kill()
        process.communicate()
