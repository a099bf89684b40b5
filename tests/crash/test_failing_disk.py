"""A match goes through whatever the disk below the store does, and nobody is told a lie.

Some of the calls to the disk at which `make chaos` lets it fail, one by one.
"""

from pathlib import Path

import pytest

from tests.crash.disk_sweep import Played, play_on
from tests.crash.failing_disk import FailingDisk


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> FailingDisk:
    return FailingDisk.built(tmp_path_factory.mktemp("disk"))


@pytest.mark.parametrize(
    "planned",
    [
        "kill@4",  # the file is being made
        "torn@20",  # its tables are
        "kill@60",  # from here on the match is played
        "torn@71",
        "torn@97",
    ],
)
async def test_a_server_killed_at_a_write_loses_and_doubles_nothing(
    disk: FailingDisk, tmp_path: Path, planned: str
) -> None:
    played = await play_on(disk, tmp_path, planned)
    assert (len(played.calls), played.faults) == (int(planned.partition("@")[2]), [])


async def test_a_server_whose_disk_fails_again_and_again_goes_on(
    disk: FailingDisk, tmp_path: Path
) -> None:
    planned = "eio@70,enospc@83,short@97,eio@111,short@124,enospc@138"
    played = await play_on(disk, tmp_path, planned)
    assert len(played.calls) > 138
    assert played.faults == []


async def test_a_server_that_cannot_make_its_file_is_started_again(
    disk: FailingDisk, tmp_path: Path
) -> None:
    played = await play_on(disk, tmp_path, "eio@5")
    assert played == Played(played.calls, [])
