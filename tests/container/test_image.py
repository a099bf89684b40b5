"""The image, built and run: `make test-container`."""

import asyncio
import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from durak_client import Client, MatchStatus, play
from tests.container.image import Image, built

LABELS = ("title", "description", "licenses", "version", "revision")
MOST_MEGABYTES = 110
"""What the image may add to its base."""

QUICK = {
    "DURAK_LISTEN": "127.0.0.1:0",
    "DURAK_METRICS_LISTEN": "127.0.0.1:0",
    "DURAK_BOT_DELAY_MIN_SECONDS": "0",
    "DURAK_BOT_DELAY_MAX_SECONDS": "0",
}


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    """The image, built once."""
    with built() as image:
        yield image


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
    process = image.start(data, **(QUICK | settings))
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


def test_the_configuration_says_all_that_a_platform_needs(image: Image) -> None:
    config = image.config
    assert config["User"] == "10001:10001"
    assert config["Entrypoint"] == ["durak-server"]
    assert config["Cmd"] == ["serve"]
    assert list(config["Volumes"]) == ["/data"]
    assert sorted(config["ExposedPorts"]) == ["50051/tcp", "9090/tcp"]
    assert config["Healthcheck"]["Test"][0] == "CMD"
    labels = {name: config["Labels"][f"org.opencontainers.image.{name}"] for name in LABELS}
    assert labels["title"] == "durak-server"
    assert labels["licenses"] == "MIT"
    assert all(labels.values())


def test_the_image_holds_no_sources_compilers_or_clients(image: Image) -> None:
    own = image.files / "opt" / "durak"
    unwanted = ("*.proto", "*.pyi", "*.c", "durak_client*", "grpc_tools*", "pytest*", "uv")
    found = [path for pattern in unwanted for path in own.rglob(pattern)]
    found += [image.files / name for name in ("source", "uv", "locked.txt")]
    found += [
        folder / name
        for folder in (image.files / "usr" / "bin", image.files / "usr" / "local" / "bin")
        for name in ("gcc", "cc", "g++", "c++", "make", "protoc", "buf", "durak")
    ]
    assert [path for path in found if path.exists()] == []


def test_the_bill_of_materials_has_every_library_of_the_image(image: Image) -> None:
    own = image.files / "opt" / "durak"
    told = {
        (component["name"].replace("-", "_").replace(".", "_"), component["version"])
        for component in json.loads((own / "sbom.cdx.json").read_text())["components"]
    }
    installed = {tuple(path.stem.split("-", 1)) for path in own.rglob("*.dist-info")}
    normal = {(name.lower().replace(".", "_"), version) for name, version in installed}
    assert {name for name, _ in normal - told} == {"durak_server"}


def test_the_image_adds_little_to_its_base(image: Image) -> None:
    files = [path for path in (image.files / "opt" / "durak").rglob("*") if not path.is_symlink()]
    size = sum(path.stat().st_size for path in files if path.is_file())
    assert size / 2**20 < MOST_MEGABYTES


async def test_a_match_is_played_and_outlives_the_container(image: Image, tmp_path: Path) -> None:
    with serving(image, tmp_path) as first:
        assert await play_a_match(first.port) is MatchStatus.FINISHED
        assert first.stop() == 0
    with serving(image, tmp_path) as second:
        page = await asyncio.to_thread(second.metrics)
        kept = re.findall(r"^durak_matches\{(.*)\} (.*)$", page, re.MULTILINE)
        assert kept == [('preset="PODKIDNOY",status="FINISHED"', "1.0")]


def test_the_health_check_tells_a_server_from_none(image: Image, tmp_path: Path) -> None:
    check = image.config["Healthcheck"]["Test"][1:]
    with serving(image, tmp_path) as served:
        here = [
            word.replace("127.0.0.1:9090", f"127.0.0.1:{served.metrics_port}") for word in check
        ]
        healthy = image.start(tmp_path, *here)
        healthy.communicate(timeout=30)
        served.stop()
        gone = image.start(tmp_path, *here)
        gone.communicate(timeout=30)
    assert (healthy.returncode, gone.returncode) == (0, 1)


@pytest.mark.parametrize("place", ["/", "/opt/durak", "/etc", "/usr/bin"])
def test_nothing_but_the_volume_can_be_written(image: Image, tmp_path: Path, place: str) -> None:
    refused = image.start(tmp_path, "touch", f"{place}/mine")
    assert "Read-only file system" in refused.communicate(timeout=30)[1]
    taken = image.start(tmp_path, "touch", "/data/mine")
    taken.communicate(timeout=30)
    assert (refused.returncode, taken.returncode) == (1, 0)


def test_the_image_refuses_to_serve_the_world_without_tls(image: Image, tmp_path: Path) -> None:
    process = image.start(tmp_path)
    _, complaint = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "is not loopback and there is no TLS" in complaint
    assert complaint.count("\n") == 1
