"""TLS: who has no certificate of ours is not served, whichever side should have shown it."""

from pathlib import Path

import grpc
import pytest
from grpc import StatusCode, aio

from tests.api.certificates import make_certificate, name_seen
from tests.live_server import running_server


async def test_a_server_with_a_certificate_serves_over_tls_only(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    async with running_server(tls_certificate=certificate, tls_key=key) as server:
        trusting = grpc.ssl_channel_credentials(certificate.read_bytes())

        assert await name_seen(server, trusting) == "Vasya"
        with pytest.raises(aio.AioRpcError) as error:
            await name_seen(server, None)
        assert error.value.code() is StatusCode.UNAVAILABLE


async def test_a_server_with_a_client_ca_serves_its_clients_only(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    mine, my_key = make_certificate(tmp_path, "client")
    settings = {"tls_certificate": certificate, "tls_key": key, "tls_client_ca": mine}
    async with running_server(**settings) as server:
        known = grpc.ssl_channel_credentials(
            certificate.read_bytes(), my_key.read_bytes(), mine.read_bytes()
        )
        unknown = grpc.ssl_channel_credentials(certificate.read_bytes())

        assert await name_seen(server, known) == "Vasya"
        with pytest.raises(aio.AioRpcError) as error:
            await name_seen(server, unknown)
        assert error.value.code() is StatusCode.UNAVAILABLE
