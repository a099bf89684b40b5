"""TLS: who has no certificate of ours is not served, whichever side should have shown it."""

from pathlib import Path

import grpc
import pytest
from grpc import StatusCode, aio

from durak_server.api import AdminCallFailed, AdminTarget, AdminTls, Scope, admin_call
from tests.api.certificates import make_certificate, name_seen
from tests.api.operators import OPERATED, token_with
from tests.live_server import running_server


async def test_a_server_with_a_certificate_serves_over_tls_only(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    async with running_server(tls_certificate=certificate, tls_key=key) as server:
        trusting = grpc.ssl_channel_credentials(certificate.read_bytes())

        assert await name_seen(server, trusting) == "Vasya"
        with pytest.raises(aio.AioRpcError) as error:
            await name_seen(server, None)
        assert error.value.code() is StatusCode.UNAVAILABLE


async def test_the_operators_service_has_the_same_certificate(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    files = {"tls_certificate": certificate, "tls_key": key}
    async with running_server(**OPERATED, **files) as server:
        address, token = f"127.0.0.1:{server.admin_port}", token_with(Scope.ADMIN)
        authority = certificate.read_bytes()

        trusting = AdminTarget(address, token, AdminTls(authority))
        assert (await admin_call(trusting, "ListBans", {}))["bans"] == []
        for tls in (None, AdminTls(), AdminTls(authority, "another.example")):
            with pytest.raises(AdminCallFailed, match=r"^UNAVAILABLE: "):
                await admin_call(AdminTarget(address, token, tls), "ListBans", {})


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
