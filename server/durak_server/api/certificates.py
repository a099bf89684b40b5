"""The files of TLS, read anew when they have changed: a new certificate needs no restart."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from durak_server.observe.logs import logger

_log = logger(__name__)
_Stamp: TypeAlias = tuple[int, int, int] | None


class CertificateUnusable(Exception):
    """The files do not belong together, or are not what they should be; the message says why."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM. With `client_ca`, clients must show a certificate signed by it."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All files there are."""
        return tuple(filter(None, (self.certificate, self.key, self.client_ca)))


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the files held when they were last good."""

    configuration: grpc.ServerCertificateConfiguration
    expires_at: float


class Certificates:
    """What this server shows to clients, and wants of them. Used from any thread.

    Raises:
        CertificateUnusable: the files cannot be used at the start. Later ones that cannot be used
            are left, with a warning, and the last good ones are kept.
    """

    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self._lock = threading.Lock()
        self._stamps = [_stamp(file) for file in tls.files]
        self._pair = _read(tls)

    def expires_at(self) -> float:
        """Return when the first certificate of the chain expires, in seconds since 1970, UTC."""
        return self._current().expires_at

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a port needs; its new connections have what the files hold then."""
        shown = self._current().configuration

        def newer() -> grpc.ServerCertificateConfiguration | None:
            nonlocal shown
            current = self._current().configuration
            if current is shown:
                return None
            shown = current
            return current

        fetcher: Callable[[], grpc.ServerCertificateConfiguration] = newer  # type: ignore[assignment]  # None: nothing is new
        return grpc.dynamic_ssl_server_credentials(
            shown, fetcher, require_client_authentication=self._tls.client_ca is not None
        )

    def _current(self) -> _Pair:
        with self._lock:
            stamps = [_stamp(file) for file in self._tls.files]
            if stamps != self._stamps:
                self._stamps = stamps
                self._take_new()
            return self._pair

    def _take_new(self) -> None:
        try:
            self._pair = _read(self._tls)
        except CertificateUnusable as error:
            _log.warning("the new certificate cannot be used", error=str(error))
        else:
            _log.info("the certificate is new")


def _stamp(file: Path) -> _Stamp:
    """Return what changes whenever a file does; None for one that is not there."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read(tls: Tls) -> _Pair:
    try:
        certificate, key = tls.certificate.read_bytes(), tls.key.read_bytes()
        client_ca = tls.client_ca.read_bytes() if tls.client_ca else None
    except OSError as error:
        raise CertificateUnusable(f"cannot read {error.filename}: {error.strerror}") from None
    chain = _chain(tls.certificate, certificate)
    if tls.client_ca and client_ca is not None:
        _chain(tls.client_ca, client_ca)
    _refuse_strange_key(tls, chain[0], key)
    return _Pair(
        grpc.ssl_server_certificate_configuration([(key, certificate)], client_ca),
        min(certificate.not_valid_after_utc.timestamp() for certificate in chain),
    )


def _chain(file: Path, pem: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        raise CertificateUnusable(f"{file} holds no certificate in PEM") from None


def _refuse_strange_key(tls: Tls, certificate: x509.Certificate, pem: bytes) -> None:
    try:
        key = load_pem_private_key(pem, password=None)
    except (TypeError, ValueError):
        raise CertificateUnusable(
            f"{tls.key} holds no key in PEM, or one with a password"
        ) from None
    if key.public_key() != certificate.public_key():
        raise CertificateUnusable(f"{tls.key} is not the key of {tls.certificate}")
