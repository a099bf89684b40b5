"""A server out of the image, and a match played at it."""

import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from durak_client import Client, MatchStatus, play
from tests.container.image import Image

_QUICK = {
    "DURAK_LISTEN": "127.0.0.1:0",
    "DURAK_METRICS_LISTEN": "127.0.0.1:0",
    "DURAK_BOT_DELAY_MIN_SECONDS": "0",
    "DURAK_BOT_DELAY_MAX_SECONDS": "0",
}


@dataclass(frozen=True)
class Served:
    """A server out of the image: its process and its ports."""

    process: subprocess.Popen[str]
    port: int
    metrics_port: int

    def metrics(self) -> str:
        """Return the page of metrics."""
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        with urllib.request.urlopen(url, timeout=5) as page:
            text: bytes = page.read()
        return text.decode()

    def stop(self) -> int:
        """Send SIGTERM and return the exit code."""
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


@contextmanager
def serving(image: Image, data: Path, **settings: str) -> Iterator[Served]:
    process = image.start(data, **(_QUICK | settings))
    try:
        assert process.stdout
        greeting = process.stdout.readline() + process.stdout.readline()
        ports = re.findall(r"127\.0\.0\.1:(\d+)", greeting)
        assert len(ports) == 2, greeting + (process.stderr.read() if process.stderr else "")
        yield Served(process, *map(int, ports))
    finally:
        process.kill()
        process.communicate()


async def play_a_match(port: int) -> MatchStatus:
    async with await Client.connect(f"127.0.0.1:{port}", name="Vasya") as client:
        match = await client.create_match("podkidnoy", seats=2)
        await match.add_bot("lowest")
        await match.start()
        end = await play(client, match, lambda view: view.legal_moves[0])
        return end.status
