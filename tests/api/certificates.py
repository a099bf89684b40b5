"""Certificates for this machine, and connections that trust them."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from grpc import aio

from durak_server.app import DurakServer
from tests.live_server import Calls


def make_certificate(folder: Path, name: str, days: int = 1) -> tuple[Path, Path]:
    """Make a certificate for this machine that signs itself, and its key; return their files.

    It is good until `days` from now.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / f"{name}.pem", folder / f"{name}.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


async def name_seen(server: DurakServer, credentials: grpc.ChannelCredentials | None) -> str:
    """Become a guest over such a connection and return the name on the seat."""
    address = f"127.0.0.1:{server.port}"
    channel = (
        aio.secure_channel(address, credentials) if credentials else aio.insecure_channel(address)
    )
    async with channel:
        guest = await Calls(channel).guest("Vasya")
        return (await guest.create()).info.seats[0].name
