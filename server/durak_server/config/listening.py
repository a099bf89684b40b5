"""Where the server listens, who may listen in on the way, and where it keeps its data."""

from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings

_STORE_FILE: Final = "durak.sqlite"
_AUDIT_FILE: Final = "audit.log"
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class StoreKind(StrEnum):
    """Where matches are kept."""

    SQLITE = "sqlite"
    MEMORY = "memory"


class ListenSettings(BaseSettings):
    """Addresses, TLS and data."""

    listen: str = Field(
        "127.0.0.1:50051",
        description="Where the API listens, HOST:PORT. Port 0: the system chooses one.",
    )
    metrics_listen: str = Field(
        "127.0.0.1:9090",
        description="Where /metrics, /livez and /readyz are served. Empty: nowhere.",
    )
    admin_listen: str = Field(
        "",
        description="Where the operator's own service listens, HOST:PORT. Empty: nowhere.",
    )
    store: StoreKind = Field(StoreKind.SQLITE, description="Where matches are kept.")
    data: Path = Field(
        Path("data"), description="Folder of the sqlite store, token secret and audit log."
    )

    insecure: bool = Field(
        False, description="Allow an address other than loopback to be served without TLS."
    )
    tls_certificate: Path | None = Field(None, description="PEM file: the server's certificates.")
    tls_key: Path | None = Field(None, description="PEM file: the key of the certificate.")
    tls_client_ca: Path | None = Field(
        None, description="PEM file: clients must show a certificate signed by one of these."
    )

    @property
    def audit_file(self) -> Path | None:
        """Where the operators' acts are written down; None if nothing is kept."""
        return None if self.store is StoreKind.MEMORY else self.data / _AUDIT_FILE

    @property
    def store_file(self) -> Path:
        """The file of the sqlite store."""
        return self.data / _STORE_FILE

    @field_validator("listen", "metrics_listen", "admin_listen")
    @classmethod
    def _has_host_and_port(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if value and not (host and port.isascii() and port.isdigit() and int(port) < 65_536):
            raise ValueError(f"must be HOST:PORT, not {value!r}")
        return value

    @model_validator(mode="after")
    def _is_safe_to_listen(self) -> Self:
        if not self.listen:
            raise ValueError("listen must not be empty")
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.tls_client_ca and not self.tls_certificate:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key")
        for address in filter(None, (self.listen, self.admin_listen)):
            self._refuse_in_the_clear(address)
        return self

    def _refuse_in_the_clear(self, address: str) -> None:
        if not (self.insecure or self.tls_certificate or is_loopback(address)):
            raise ValueError(
                f"{address} is not loopback and there is no TLS: tokens could be read on the"
                " way; set tls_certificate and tls_key, or allow it with --insecure"
            )


def is_loopback(address: str) -> bool:
    """Tell whether HOST:PORT is reached from this machine only."""
    return address.rpartition(":")[0] in _LOOPBACK
