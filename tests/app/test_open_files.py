"""A server has as many files, and so connections, as its system lets it have."""

import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.commands import serving

FEW = 200


@pytest.fixture
def hard_limit() -> Iterator[int]:
    """The hard limit; the soft one is low meanwhile, here and in processes begun here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_server_raises_its_limit_of_open_files_and_says_so(
    tmp_path: Path, hard_limit: int
) -> None:
    with serving(tmp_path, DURAK_LOG_FORMAT="json") as server:
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        server.process.send_signal(signal.SIGTERM)
        _, lines = server.process.communicate(timeout=20)

    assert limits == (hard_limit, hard_limit)
    (line,) = [line for line in lines.splitlines() if '"open files"' in line]
    assert f'"limit": {hard_limit}' in line
    assert f'"before": {FEW}' in line
