"""Whoever breaks off adds nothing to the log; what fails in a page is told there."""

import io
import json
import socket
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from prometheus_client import CollectorRegistry, Gauge

from durak_server.observe.status_pages import Probes, StatusPages

RESET = struct.pack("ii", 1, 0)
"""A socket that lingers so is reset when it is closed."""


def page(served: StatusPages, path: str) -> int:
    """Get a page; return its status code."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{served.port}{path}") as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def fail() -> bool:
    raise TimeoutError("the fault of a page")


@contextmanager
def serving_pages(
    is_ready: Callable[[], bool] = bool, silence_seconds: float = 20
) -> Iterator[StatusPages]:
    """Serve pages, /metrics of ten megabytes."""
    registry = CollectorRegistry()
    for number in range(100):
        Gauge(f"gauge_{number}", "x" * 100_000, registry=registry)
    probes = Probes(is_alive=lambda: True, is_ready=is_ready, refresh=lambda: None)
    served = StatusPages("127.0.0.1", 0, registry, probes, silence_seconds)
    try:
        yield served
    finally:
        served.close()
        wait_for_answers()


def wait_for_answers() -> None:
    """Return once the server is done with all who asked."""
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join()


def say_nothing(peer: socket.socket) -> None:
    assert peer.recv(1) == b""


def say_half(peer: socket.socket) -> None:
    peer.sendall(b"GET /livez HTTP/1.1\r\nHost:")
    assert peer.recv(1) == b""


def take_nothing(peer: socket.socket) -> None:
    peer.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
    peer.recv(1)
    wait_for_answers()


def reset_in_the_middle(peer: socket.socket) -> None:
    peer.sendall(b"GET /li")
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def reset_while_answered(peer: socket.socket) -> None:
    peer.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
    peer.recv(1)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


SILENCE_SECONDS = 0.1


@pytest.mark.parametrize("stay_silent", [say_nothing, say_half, take_nothing])
def test_who_stays_silent_is_cut_off_and_told_of_for_debugging_at_the_most(
    stay_silent: Callable[[socket.socket], None],
    lines: io.StringIO,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with (
        serving_pages(silence_seconds=SILENCE_SECONDS) as served,
        socket.create_connection(("127.0.0.1", served.port), timeout=20) as peer,
        suppress(ConnectionError),  # this test was too slow to say half
    ):
        stay_silent(peer)

    assert levels(lines) <= {"debug"}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("reset", [reset_in_the_middle, reset_while_answered])
def test_who_breaks_off_is_told_of_for_debugging_at_the_most(
    reset: Callable[[socket.socket], None],
    lines: io.StringIO,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with serving_pages() as served:
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as peer:
            reset(peer)
        assert page(served, "/livez") == 200  # so the other was taken before

    assert levels(lines) <= {"debug"}
    assert capfd.readouterr() == ("", "")


def levels(lines: io.StringIO) -> set[str]:
    return {json.loads(line)["level"] for line in lines.getvalue().splitlines()}


def test_a_page_that_fails_is_a_line_of_the_log_and_an_answer(
    lines: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving_pages(is_ready=fail) as served:
        assert page(served, "/readyz") == 500

    (line,) = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert (line["level"], line["event"]) == ("error", "a status page failed")
    assert "the fault of a page" in line["exception"]
    assert capfd.readouterr() == ("", "")
