import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from durak_client import Client, Patience, Unavailable
from tests.live_server import running_server
from tests.terminal.commands import durak


def certificate_for_loopback(folder: Path) -> tuple[Path, Path]:
    """Write a certificate that signs itself, and its key; return where."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "durak in a test")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = serialization.PrivateFormat.PKCS8
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(pem))
    key_file.write_bytes(key.private_bytes(pem, private, serialization.NoEncryption()))
    return certificate_file, key_file


async def test_clients_reach_a_server_over_tls_and_not_in_the_clear(tmp_path: Path) -> None:
    certificate, key = certificate_for_loopback(tmp_path)
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
