"""What a server writes on standard error: lines of its log, whoever connects to it, and how."""

import json
import signal
import socket
from contextlib import suppress
from pathlib import Path

from tests.api.certificates import make_certificate
from tests.app.commands import serving


def speak_in_the_clear(port: int) -> None:
    """Be refused by a port with TLS."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=20) as stranger,
        suppress(ConnectionResetError),
    ):
        stranger.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        while stranger.recv(4096):
            pass


def test_who_cannot_speak_tls_adds_no_line_that_is_not_of_the_log(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "server")
    files = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    with serving(tmp_path, "--log-format", "json", *files) as server:
        for _ in range(5):
            speak_in_the_clear(server.port)
        server.process.send_signal(signal.SIGTERM)
        _, errors = server.process.communicate(timeout=20)

    written = [json.loads(line)["event"] for line in errors.splitlines()]
    assert "open files" in written
