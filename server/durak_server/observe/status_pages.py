"""The HTTP side: /metrics for Prometheus, /livez and /readyz for whoever runs the process."""

import io
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Final, TextIO
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

from durak_server.observe.logs import logger

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_log = logger(__name__)
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

    Whoever neither sends nor takes anything for `silence_seconds` is cut off.

    Raises:
        OSError: the address cannot be listened on.
    """

    def __init__(
        self,
        host: str,
        port: int,
        registry: CollectorRegistry,
        probes: Probes,
        silence_seconds: float = 10,
    ) -> None:
        server = _ThreadedServerV6 if ":" in host else _ThreadedServer
        self._server = make_server(
            host, port, _told(_application(registry, probes)), server, _SilentHandler
        )
        self._server.silence_seconds = silence_seconds
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


def _told(pages: "WSGIApplication") -> "WSGIApplication":
    """Return the pages, but what fails in them is a line of the log."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        try:
            return pages(environ, start_response)
        except Exception as error:
            _log.error("a status page failed", exc_info=error)
            start_response("500 Internal Server Error", [_PLAIN], sys.exc_info())
            return [b"failed\n"]

    return answer


def _verdict(start_response: "StartResponse", *, holds: bool) -> list[bytes]:
    start_response("200 OK" if holds else "503 Service Unavailable", [_PLAIN])
    return [b"yes\n" if holds else b"no\n"]


class _ThreadedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    allow_reuse_address = True
    silence_seconds: float

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        connection.settimeout(self.silence_seconds)
        return connection, address

    def handle_error(self, request: object, client_address: object) -> None:
        """Log how a connection ended; a page that fails is logged before it comes to that."""
        error = sys.exception()
        if isinstance(error, OSError):
            _log.debug("whoever asked for a status page is gone", error=type(error).__name__)
        else:
            _log.error("a connection to the status pages failed", exc_info=error)


class _ThreadedServerV6(_ThreadedServer):
    address_family = socket.AF_INET6


class _SilentHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Write nothing: a probe a second is no news."""

    def get_stderr(self) -> TextIO:
        """Return where nobody reads: tracebacks are written there of connections that broke."""
        return io.StringIO()
