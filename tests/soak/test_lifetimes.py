"""A server that plays for ever holds no more than one that plays for a minute.

`make soak` plays 20,000 matches; these few find what a match or a move leaves behind.
"""

from pathlib import Path

from tests.soak.lifetimes import Reading, readings

MATCHES = 40
_NOISE = 2_500
"""Objects by which two readings differ without a leak; one object a move would be 4,000."""


async def test_matches_that_are_over_leave_nothing_behind(tmp_path: Path) -> None:
    taken: list[Reading] = [read async for read in readings(tmp_path, steps=3, matches=MATCHES)]
    warm, middle, end = taken
    assert [(read.live, read.finished) for read in taken] == [
        (0, MATCHES),
        (0, 2 * MATCHES),
        (0, 3 * MATCHES),
    ]
    assert (end.tasks, end.descriptors) == (middle.tasks, middle.descriptors)
    assert abs(end.objects - middle.objects) < _NOISE
    assert end.memory_kib - warm.memory_kib < 4_096
    assert (end.stored_bytes - middle.stored_bytes) / (end.events - middle.events) < 500
