"""A server in a process of its own, and the CPU that it uses."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SETTINGS = {"DURAK_DRAIN_SETTLE_SECONDS": "0", "DURAK_LOG_LEVEL": "error"}
UNLIMITED = {
    "DURAK_CALLS_PER_SECOND": "1000000",
    "DURAK_ADDRESS_CALLS_PER_SECOND": "1000000",
    "DURAK_STREAMS_PER_PLAYER": "100000",
    "DURAK_MATCHES_MADE_PER_SECOND": "1000000",
}
"""For players who are all at one address, and think no longer than a machine."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A process that serves."""

    process: int
    target: str

    def cpu_seconds(self) -> float:
        """Return the CPU that it has used."""
        stat = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / _TICKS


@contextmanager
def running(*command: str, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a Python command that serves, to the end of the block."""
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **SETTINGS, **(settings or {})},
    )
    try:
        assert process.stdout
        for line in process.stdout:
            if found := re.search(r"serves on (127\.0\.0\.1:\d+)", line):
                yield Server(process.pid, found[1])
                return
        raise SystemExit("the server did not start")
    finally:
        process.terminate()
        process.wait()
