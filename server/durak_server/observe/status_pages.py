"""The HTTP side: /metrics for Prometheus, /livez and /readyz for whoever runs the process."""

import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_PLAIN: Final = ("Content-Type", "text/plain; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Probes:
    """What the pages ask. All are called from a thread that is not the event loop's.

    `refresh` brings those metrics up to date that are read at the moment of a scrape.
    """

    is_alive: Callable[[], bool]
    is_ready: Callable[[], bool]
    refresh: Callable[[], None]


class StatusPages:
    """An HTTP server in a thread of its own, so that it answers when the event loop does not.

    Raises:
        OSError: the address cannot be listened on.
    """

    def __init__(self, host: str, port: int, registry: CollectorRegistry, probes: Probes) -> None:
        server = _ThreadedServerV6 if ":" in host else _ThreadedServer
        self._server = make_server(
            host, port, _application(registry, probes), server, _SilentHandler
        )
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="status pages"
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port listened on."""
        return self._server.server_port

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _application(registry: CollectorRegistry, probes: Probes) -> "WSGIApplication":
    metrics = make_wsgi_app(registry)

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        match environ["PATH_INFO"]:
            case "/metrics":
                probes.refresh()
                page: Iterable[bytes] = metrics(environ, start_response)
                return page
            case "/livez":
                return _verdict(start_response, holds=probes.is_alive())
            case "/readyz":
                return _verdict(start_response, holds=probes.is_ready())
            case _:
                start_response("404 Not Found", [_PLAIN])
                return [b"/metrics /livez /readyz\n"]

    return answer


def _verdict(start_response: "StartResponse", *, holds: bool) -> list[bytes]:
    start_response("200 OK" if holds else "503 Service Unavailable", [_PLAIN])
    return [b"yes\n" if holds else b"no\n"]


class _ThreadedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    allow_reuse_address = True


class _ThreadedServerV6(_ThreadedServer):
    address_family = socket.AF_INET6


class _SilentHandler(WSGIRequestHandler):
    timeout = 10

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing: a probe a second is no news."""
