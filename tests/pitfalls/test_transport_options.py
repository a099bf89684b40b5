"""Options of the transport that are misspelt are ignored without a word: none is."""

import re
from pathlib import Path

import grpc
import pytest

import durak_client.channel
import durak_server.api.server

(COMPILED,) = (Path(grpc.__file__).parent / "_cython").glob("cygrpc.*.so")
LIBRARY = COMPILED.read_bytes()


def options_of(source: str | None) -> set[str]:
    return set(re.findall(r'"(grpc\.\w[\w.]+)"', Path(source or "").read_text()))


OPTIONS = options_of(durak_server.api.server.__file__) | options_of(durak_client.channel.__file__)


@pytest.mark.parametrize("option", sorted(OPTIONS))
def test_every_option_of_the_transport_is_one_that_the_library_knows(option: str) -> None:
    assert option.encode() + b"\0" in LIBRARY


def test_an_option_of_almost_the_same_name_would_be_found() -> None:
    assert "grpc.http2.min_ping_interval_without_data_ms" in OPTIONS
    assert b"grpc.http2.min_recv_ping_interval_without_data_ms" not in LIBRARY
