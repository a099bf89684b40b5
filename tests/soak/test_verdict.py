"""The verdict of a soak is tested with servers that keep what they should let go."""

from dataclasses import replace

import pytest

from tests.soak.lifetimes import Reading
from tests.soak.verdict import faults

STEPS, MATCHES = 20, 1_000


def reading(step: int) -> Reading:
    """What a server without a fault holds after so many steps, the noise of others included."""
    return Reading(
        matches=step * MATCHES,
        events=step * 120_000,
        memory_kib=90_000 + 300 * step,
        objects=70_000 + 1_000 * (step % 2),
        blocks=300_000 + 5_000 * (step % 2),
        tasks=20,
        descriptors=24,
        live=0,
        finished=step * MATCHES,
        stored_bytes=step * 40_000_000,
    )


SOUND = [reading(step + 1) for step in range(STEPS)]


def test_a_server_that_keeps_nothing_is_found_sound() -> None:
    assert list(faults(SOUND)) == []


def test_what_is_remembered_for_a_while_is_no_fault() -> None:
    busy = replace(SOUND[-1], objects=90_000, blocks=400_000, memory_kib=99_000)
    assert list(faults([*SOUND[:-1], busy])) == []


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"live": 1}, "matches in memory: 0, 15,000 matches later 1; at most 0 more"),
        ({"finished": STEPS * MATCHES - 1}, "matches not over: 0, "),
        ({"tasks": 21}, "tasks: 20, "),
        ({"descriptors": 25}, "open files: 24, "),
        # One object, or five blocks, or a kilobyte a match.
        ({"objects": 70_000 + 15_000}, "objects: 70,000, "),
        ({"blocks": 300_000 + 5 * 15_000}, "blocks: 300,000, "),
        ({"memory_kib": 90_300 + 15_000}, "KiB: 90,300, "),
    ],
)
def test_what_is_kept_is_a_fault(kept: dict[str, int], said: str) -> None:
    late = [replace(one, **kept) for one in SOUND[-5:]]
    (fault,) = faults([*SOUND[:-5], *late])
    assert fault.startswith(said)
