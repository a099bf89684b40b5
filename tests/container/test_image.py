"""The image, built and run: `make test-container`."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak_client import MatchStatus
from tests.container.image import Image, built
from tests.container.serving import play_a_match, serving

LABELS = ("title", "description", "licenses", "version", "revision")
MOST_MEGABYTES = 110
"""What the image may add to its base."""


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    """The image, built once."""
    with built() as image:
        yield image


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
    assert image.megabytes < MOST_MEGABYTES


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
