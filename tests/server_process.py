"""The server as an operator runs it: a process of its own, which can be killed."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ENVIRONMENT = {
    "DURAK_BOT_DELAY_MIN_SECONDS": "0",
    "DURAK_BOT_DELAY_MAX_SECONDS": "0",
    # All who play are at one address here, and think no longer than a machine.
    "DURAK_CALLS_PER_SECOND": "2000",
    "DURAK_ADDRESS_CALLS_PER_SECOND": "5000",
    "DURAK_STREAMS_PER_PLAYER": "1000",
    "DURAK_MATCHES_MADE_PER_SECOND": "5000",
    "DURAK_DRAIN_SETTLE_SECONDS": "0",
    "DURAK_LOG_LEVEL": "error",
    "DURAK_METRICS_LISTEN": "",
}


class ServerEnded(Exception):
    """The server ended before it served."""


class ServerProcess:
    """A `durak-server serve` on loopback, its data in `data`.

    `environment` is that of the first process only: what is started after it is sound. `settings`
    are those of all.

    Raises:
        ServerEnded: it does not start.
    """

    def __init__(
        self,
        data: Path,
        environment: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data
        self._settings = {**ENVIRONMENT, **(settings or {})}
        self.port = 0
        """Where it listens; chosen by the system at the first start and kept from then on."""
        self.metrics_port = 0
        """Where its status pages are, if the settings say so; kept as well."""
        self._process = self._serving(environment or {})

    @property
    def target(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def process_id(self) -> int:
        """The number of the process that runs now."""
        return self._process.pid

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._process.communicate()

    def restart(self) -> None:
        """Kill it, start it again on the same port and data, and return when it serves."""
        self.kill()
        self.start()

    def start(self) -> None:
        """Start it on the same port and data once it has ended, and return when it serves."""
        self._process = self._serving({})

    def stop(self) -> int:
        """Ask it to drain and return its exit code."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=60)
        return self._process.returncode

    async def ended(self) -> None:
        """Return when the process that runs now has ended, whatever ended it."""
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        descriptor = os.pidfd_open(self._process.pid)
        loop.add_reader(descriptor, over.set)
        try:
            await over.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)

    def _serving(self, environment: Mapping[str, str]) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "durak_server", "serve", "--data", str(self.data)]
        command += ["--listen", self.target]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**self._settings, **environment}
        )
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"serves on 127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                if self._settings["DURAK_METRICS_LISTEN"]:
                    self.metrics_port = _metrics_port(process.stdout.readline())
                    self._settings["DURAK_METRICS_LISTEN"] = f"127.0.0.1:{self.metrics_port}"
                return process
        process.stdout.close()
        raise ServerEnded(f"exit code {process.wait()}")


def _metrics_port(line: str) -> int:
    found = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", line)
    assert found, line
    return int(found[1])


@contextmanager
def served(data: Path) -> Iterator[ServerProcess]:
    """Serve until the end of the block, then end whatever runs."""
    server = ServerProcess(data)
    try:
        yield server
    finally:
        server.kill()
