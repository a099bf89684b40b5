"""A match goes through whatever the disk below the store does, and nobody is told a lie.

Some of the calls to the disk at which `make chaos` lets it fail, one by one.
"""

from pathlib import Path

import pytest

from tests.crash.disk_sweep import Played, calls_to_open, play_on
from tests.crash.failing_disk import FailingDisk


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> FailingDisk:
    return FailingDisk.built(tmp_path_factory.mktemp("disk"))


@pytest.fixture(scope="module")
def opened(disk: FailingDisk, tmp_path_factory: pytest.TempPathFactory) -> int:
    """The last call before the match is played."""
    return calls_to_open(disk, tmp_path_factory.mktemp("opened"))


@pytest.mark.parametrize(("fault", "call"), [("kill", 4), ("torn", 20)])
async def test_a_server_killed_while_it_makes_its_file_is_started_again(
    disk: FailingDisk, tmp_path: Path, fault: str, call: int
) -> None:
    played = await play_on(disk, tmp_path, f"{fault}@{call}")
    assert (len(played.calls), played.faults) == (call, [])


@pytest.mark.parametrize(("fault", "call"), [("kill", 5), ("torn", 16), ("torn", 42)])
async def test_a_server_killed_at_a_write_loses_and_doubles_nothing(
    disk: FailingDisk, tmp_path: Path, opened: int, fault: str, call: int
) -> None:
    played = await play_on(disk, tmp_path, f"{fault}@{opened + call}")
    assert (len(played.calls), played.faults) == (opened + call, [])


async def test_a_server_whose_disk_fails_again_and_again_goes_on(
    disk: FailingDisk, tmp_path: Path, opened: int
) -> None:
    failing = [("eio", 15), ("enospc", 28), ("short", 42), ("eio", 56), ("enospc", 83)]
    planned = ",".join(f"{fault}@{opened + call}" for fault, call in failing)
    played = await play_on(disk, tmp_path, planned)
    assert len(played.calls) > opened + failing[-1][1]
    assert played.faults == []


async def test_a_server_that_cannot_make_its_file_is_started_again(
    disk: FailingDisk, tmp_path: Path
) -> None:
    played = await play_on(disk, tmp_path, "eio@5")
    assert played == Played(played.calls, [])
