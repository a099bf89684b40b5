"""A server that can be brought into every trouble there is an alert for."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from grpc import aio

from tests.crash.failing_disk import FailingDisk
from tests.live_server import Calls
from tests.server_process import ServerProcess

SETTINGS = {
    "DURAK_METRICS_LISTEN": "127.0.0.1:0",
    "DURAK_WATCHER_STALL_SECONDS": "0.05",
    "DURAK_HEARTBEAT_SECONDS": "0.001",
    "DURAK_LOG_LEVEL": "error",
}
_DISK_BYTES = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Place:
    """A server, its data, and the files whose presence makes its disk full or slow."""

    server: ServerProcess
    data: Path
    full: Path
    slow: Path

    @asynccontextmanager
    async def connected(self, **options: int) -> AsyncIterator[Calls]:
        """Connect to it; see `live_server.connected` for the options."""
        chosen = [(f"grpc.{name.replace('__', '.')}", value) for name, value in options.items()]
        async with aio.insecure_channel(self.server.target, options=chosen) as channel:
            yield Calls(channel)


@asynccontextmanager
async def place_in(folder: Path, settings: Mapping[str, str]) -> AsyncIterator[Place]:
    """Serve with these settings until the end of the block."""
    data = folder / "data"
    data.mkdir()
    full, slow = folder / "full", folder / "slow"
    disk = FailingDisk.built(folder)
    environment = disk.environment(data, folder / "calls", full=full, slow=slow)
    with _small_disk(data):
        server = await asyncio.to_thread(ServerProcess, data, environment, {**SETTINGS, **settings})
        try:
            yield Place(server, data, full, slow)
        finally:
            server.kill()


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """Put a small disk below a folder; only root may."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", str(folder)]
    is_mounted = not subprocess.run(mount, check=False, capture_output=True).returncode
    try:
        yield
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
