"""The server's certificate is replaced while it serves."""

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from grpc import StatusCode, aio

from durak_server.api import Certificates, CertificateUnusable, Tls
from durak_server.app import DurakServer
from tests.api.certificates import make_certificate, name_seen
from tests.live_server import Calls, metric, running_server

EXPIRY = "durak_tls_certificate_expiry_timestamp_seconds"


class Shelf:
    """The files that the server was told of, and what may be put there."""

    def __init__(self, folder: Path) -> None:
        self.old = make_certificate(folder, "old", days=1)
        self.new = make_certificate(folder, "new", days=2)
        self.shown = folder / "shown.pem", folder / "shown.key"
        self.put(0, self.old)
        self.put(1, self.old)

    def put(self, file: int, pair: tuple[Path, Path]) -> None:
        """Put the certificate (0) or the key (1) of a pair where the server finds it, at once."""
        copy = self.shown[file].with_suffix(".copy")
        copy.write_bytes(pair[file].read_bytes())
        copy.replace(self.shown[file])


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture
async def server(shelf: Shelf) -> AsyncIterator[DurakServer]:
    certificate, key = shelf.shown
    async with running_server(tls_certificate=certificate, tls_key=key) as server:
        yield server


def trusting(pair: tuple[Path, Path]) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(pair[0].read_bytes())


async def refused(server: DurakServer, credentials: grpc.ChannelCredentials) -> bool:
    with pytest.raises(aio.AioRpcError) as error:
        await name_seen(server, credentials)
    return error.value.code() is StatusCode.UNAVAILABLE


async def test_new_connections_see_the_new_certificate_and_old_ones_live_on(
    server: DurakServer, shelf: Shelf
) -> None:
    address = f"127.0.0.1:{server.port}"
    async with aio.secure_channel(address, trusting(shelf.old)) as channel:
        guest = await Calls(channel).guest()

        shelf.put(0, shelf.new)
        shelf.put(1, shelf.new)

        assert await name_seen(server, trusting(shelf.new)) == "Vasya"
        assert await refused(server, trusting(shelf.old))
        assert (await guest.my_matches()).matches == []


async def test_half_of_a_pair_is_left_with_one_warning_until_the_other_half_comes(
    server: DurakServer, shelf: Shelf, lines: io.StringIO
) -> None:
    shelf.put(0, shelf.new)
    for _ in range(3):
        assert await name_seen(server, trusting(shelf.old)) == "Vasya"
    shelf.put(1, shelf.new)
    assert await name_seen(server, trusting(shelf.new)) == "Vasya"

    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    about = [
        (line["event"], line.get("error")) for line in logged if "certificate" in line["event"]
    ]
    certificate, key = shelf.shown
    assert about == [
        ("the new certificate cannot be used", f"{key} is not the key of {certificate}"),
        ("the certificate is new", None),
    ]


async def test_files_that_are_gone_for_a_moment_change_nothing(
    server: DurakServer, shelf: Shelf
) -> None:
    for file in shelf.shown:
        file.unlink()
    assert await name_seen(server, trusting(shelf.old)) == "Vasya"

    shelf.put(0, shelf.new)
    shelf.put(1, shelf.new)
    assert await name_seen(server, trusting(shelf.new)) == "Vasya"


async def test_a_new_client_authority_lets_its_clients_in_and_no_others(
    shelf: Shelf, tmp_path: Path
) -> None:
    friends = [make_certificate(tmp_path, name) for name in ("friend", "former")]

    def shown_by(friend: tuple[Path, Path]) -> grpc.ChannelCredentials:
        certificate, key = (file.read_bytes() for file in friend)
        return grpc.ssl_channel_credentials(shelf.old[0].read_bytes(), key, certificate)

    friend, former = friends
    authority = tmp_path / "authority.pem"
    authority.write_bytes(former[0].read_bytes())
    certificate, key = shelf.shown
    settings = {"tls_certificate": certificate, "tls_key": key, "tls_client_ca": authority}
    async with running_server(**settings) as server:
        assert await name_seen(server, shown_by(former)) == "Vasya"
        assert await refused(server, shown_by(friend))

        authority.write_bytes(friend[0].read_bytes())

        assert await name_seen(server, shown_by(friend)) == "Vasya"
        assert await refused(server, shown_by(former))


async def test_the_expiry_of_what_lies_there_is_measured(server: DurakServer, shelf: Shelf) -> None:
    def expiry(pair: tuple[Path, Path]) -> float:
        return x509.load_pem_x509_certificate(pair[0].read_bytes()).not_valid_after_utc.timestamp()

    assert metric(server, EXPIRY) == expiry(shelf.old)
    shelf.put(0, shelf.new)
    shelf.put(1, shelf.new)
    assert metric(server, EXPIRY) == expiry(shelf.new)


UNUSABLE = [
    ("no certificate", "shown.pem", b"", "shown.pem holds no certificate in PEM"),
    ("no key", "shown.key", b"-----BEGIN", "shown.key holds no key in PEM, or one with a password"),
    ("no authority", "authority.pem", b"\xff", "authority.pem holds no certificate in PEM"),
    ("no file", "authority.pem", None, "cannot read .*authority.pem: No such file or directory"),
]


@pytest.mark.parametrize(("_case", "file", "content", "text"), UNUSABLE)
def test_files_that_cannot_be_used_stop_the_start(
    shelf: Shelf, tmp_path: Path, _case: str, file: str, content: bytes | None, text: str
) -> None:
    authority = tmp_path / "authority.pem"
    authority.write_bytes(shelf.old[0].read_bytes())
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)

    with pytest.raises(CertificateUnusable, match=text):
        Certificates(Tls(*shelf.shown, client_ca=authority))
