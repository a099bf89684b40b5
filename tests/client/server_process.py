"""A server in a process of its own, so that it can be killed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_READY = re.compile(r"serves on 127\.0\.0\.1:(\d+)")
_SETTINGS = {
    "DURAK_BOT_DELAY_MIN_SECONDS": "0",
    "DURAK_BOT_DELAY_MAX_SECONDS": "0",
    "DURAK_METRICS_LISTEN": "",
    "DURAK_LOG_LEVEL": "error",
}


class ServerProcess:
    """Serves what is kept in `data`; keeps its port over restarts."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0
        self._process = self._start()

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "durak_server", "serve", "--data", str(self._data)]
        process = subprocess.Popen(
            [*command, "--listen", f"127.0.0.1:{self.port}"],
            env=os.environ | _SETTINGS,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        ready = _READY.search(line)
        assert ready, f"the server did not start: {line!r}"
        self.port = int(ready[1])
        return process


@contextmanager
def server_process(data: Path) -> Iterator[ServerProcess]:
    """Run a server to the end of the block."""
    server = ServerProcess(data)
    try:
        yield server
    finally:
        server.kill()
