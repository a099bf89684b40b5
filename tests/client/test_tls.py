import asyncio
import shlex
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from durak_client import Client, Patience, Unavailable
from durak_client.cli.seating import Access
from tests.api.certificates import make_certificate
from tests.live_server import running_server
from tests.terminal.commands import Ended, durak


async def test_clients_reach_a_server_over_tls_and_not_in_the_clear(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    trusted = grpc.ssl_channel_credentials(certificate.read_bytes())
    async with running_server(tls_certificate=certificate, tls_key=key) as server:
        address = f"127.0.0.1:{server.port}"
        async with await Client.connect(address, name="Vasya", credentials=trusted) as client:
            match = await client.create_match(seats=2)
            assert (await match.view()).seat == 0
        listed = await durak(tmp_path, "matches", "--ca", str(certificate), "--server", address)
        with pytest.raises(Unavailable):
            await Client.connect(
                address, name="Vasya", patience=Patience(deadline=timedelta(seconds=0.3))
            )
    assert listed.code == 0
    assert match.match_id in listed.out


NOT_TRUSTED = (
    "The certificate of {server} is not trusted here (self signed certificate); "
    "--ca names a PEM file of whom to trust."
)
SAID = [
    # flags, host, what is said of a server with TLS
    (("--tls",), "127.0.0.1", NOT_TRUSTED),
    (("--ca", "other.pem"), "127.0.0.1", NOT_TRUSTED),
    (
        ("--ca", "server.pem"),
        "127.0.0.2",
        "The certificate of {server} is for another name; give --server a name that it is for.",
    ),
    (("--ca", "server.key"), "127.0.0.1", "The file of --ca has no certificate in PEM."),
    (
        (),
        "127.0.0.1",
        "{server} hangs up at once. It may want TLS (--tls, or --ca FILE with whom to trust), or a "
        "certificate of yours, which `durak` cannot show.",
    ),
]


async def test_the_command_says_in_one_line_what_is_wrong_with_a_certificate(
    tmp_path: Path,
) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    make_certificate(tmp_path, "other")

    async def played(port: int, flags: tuple[str, ...], host: str, said: str) -> tuple[Ended, str]:
        files = [flag if flag.startswith("--") else str(tmp_path / flag) for flag in flags]
        address = f"{host}:{port}"
        ended = await durak(tmp_path, "play", *files, "--server", address)
        return ended, said.format(server=address) + "\n"

    everywhere = {"listen": "0.0.0.0:0", "tls_certificate": certificate, "tls_key": key}
    async with running_server(**everywhere) as server:
        # Together, since each goes on trying for some seconds.
        results = await asyncio.gather(*(played(server.port, *row) for row in SAID))

    assert [(ended.code, ended.err) for ended, _ in results] == [(3, said) for _, said in results]


async def test_the_command_says_that_a_server_has_no_tls(tmp_path: Path) -> None:
    async with running_server() as server:
        address = f"127.0.0.1:{server.port}"
        failed = await durak(tmp_path, "play", "--tls", "--server", address)

    assert failed.err == (
        f"{address} does not speak TLS; leave out --tls and --ca, and whoever listens can read "
        "along.\n"
    )


async def test_the_way_back_to_a_seat_leads_over_tls(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    async with running_server(tls_certificate=certificate, tls_key=key) as server:
        address = ("--server", f"127.0.0.1:{server.port}", "--ca", str(certificate))
        kept = await durak(tmp_path, "play", "--plain", *address, typed="q\nk\n")
        command = kept.last_line.partition(" durak ")[2]
        resumed = await durak(tmp_path, *shlex.split(command), "--plain", typed="q\nl\n")
    assert resumed.last_line == "You left the match."


ELSEWHERE = [
    (Access("127.0.0.1:50051"), ""),
    (Access("127.0.0.1:50051", tls=True), " --tls"),
    (Access("durak.example:443", tls=True), " --server durak.example:443 --tls"),
    (Access("a.example", tls=True, ca=Path("my.pem")), " --server a.example --ca my.pem"),
]


@pytest.mark.parametrize(("access", "said"), ELSEWHERE)
def test_a_command_that_is_told_goes_to_the_same_server(access: Access, said: str) -> None:
    assert access.elsewhere == said
