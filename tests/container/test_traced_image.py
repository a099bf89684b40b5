"""The image built with EXTRAS=tracing, and run with a receiver of spans: `make test-container`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak_client import MatchStatus
from tests.container.image import Image, built
from tests.container.serving import play_a_match, serving
from tests.span_receiver import receiving_spans

MOST_MEGABYTES = 116
"""What the image may add to its base with the extra."""


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    """The image with the extra, built once."""
    with built("tracing") as image:
        yield image


async def test_its_server_sends_spans(image: Image, tmp_path: Path) -> None:
    with receiving_spans() as receiver:
        with serving(image, tmp_path, DURAK_TRACING_ENDPOINT=receiver.endpoint) as served:
            assert await play_a_match(served.port) is MatchStatus.FINISHED
            assert served.stop() == 0
        names = {span.name for span in receiver.spans}
    assert {"durak.v1.AuthService/CreateGuest", "durak.v1.PlayService/MakeMove", "append"} <= names


async def test_without_an_endpoint_it_serves_as_the_other_does(
    image: Image, tmp_path: Path
) -> None:
    with serving(image, tmp_path) as served:
        assert await play_a_match(served.port) is MatchStatus.FINISHED
        assert served.stop() == 0


def test_the_extra_adds_little(image: Image) -> None:
    assert image.megabytes < MOST_MEGABYTES


def test_the_bill_of_materials_has_the_extra(image: Image) -> None:
    bill = json.loads((image.files / "opt" / "durak" / "sbom.cdx.json").read_text())
    assert "opentelemetry-sdk" in {component["name"] for component in bill["components"]}
