"""The `durak` command as a process of its own."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from pathlib import Path

DURAK = Path(sys.executable).with_name("durak")
# A shell lets what it runs in the background ignore SIGINT. Undone after the start and not before:
# gRPC does not stand Python code between fork and exec.
_HEARING_INTERRUPTS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
ALWAYS_THE_FIRST_MOVE = "1\n" * 3_000


@dataclass(frozen=True)
class Ended:
    """What a process printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        return self.out.splitlines()[-1]


async def begin(
    state: Path, *arguments: str, stdin: int = PIPE, stdout: int = PIPE
) -> asyncio.subprocess.Process:
    """Start the command for a user who keeps his state in `state`."""
    environment = os.environ | {"XDG_STATE_HOME": str(state), "COLUMNS": "80"}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _HEARING_INTERRUPTS, DURAK),
        *arguments,
        stdin=stdin,
        stdout=stdout,
        stderr=PIPE,
        env=environment,
    )


async def end(process: asyncio.subprocess.Process, typed: str = "") -> Ended:
    """Type, end the input and wait for the end."""
    out, err = await process.communicate(typed.encode() if process.stdin else None)
    assert process.returncode is not None
    return Ended(process.returncode, (out or b"").decode(), err.decode())


async def durak(state: Path, *arguments: str, typed: str = "") -> Ended:
    """Run the command from its start to its end."""
    return await end(await begin(state, *arguments), typed)


async def read_until(process: asyncio.subprocess.Process, text: str) -> str:
    """Return the lines up to the next one that contains `text`.

    Raises:
        AssertionError: the output ended without it.
    """
    assert process.stdout is not None
    told = []
    while line := (await process.stdout.readline()).decode():
        told.append(line)
        if text in line:
            return "".join(told)
    raise AssertionError(f"{text!r} was never printed, but {''.join(told)}")
