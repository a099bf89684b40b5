"""The verdict of a soak is tested with servers that keep what they should let go."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.soak.__main__ import chosen
from tests.soak.lifetimes import Reading
from tests.soak.measured import SLOWING, STEADY, Line
from tests.soak.verdict import LEAST_READINGS, faults

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


@pytest.mark.parametrize("lines", [SLOWING, STEADY])
def test_servers_that_were_measured_are_found_sound(lines: Sequence[Line]) -> None:
    assert list(faults(read_again(lines))) == []


def test_the_same_pace_the_other_way_round_is_found_sound() -> None:
    run = read_again(SLOWING)
    turned = [
        replace(one, objects=other.objects, blocks=other.blocks)
        for one, other in zip(run, reversed(run), strict=True)
    ]
    assert list(faults(turned)) == []


def read_again(lines: Sequence[Line]) -> list[Reading]:
    return [
        replace(
            reading(step),
            memory_kib=int(mib * 1024),
            objects=objects,
            blocks=blocks,
            stored_bytes=bytes_a_match * step * MATCHES,
        )
        for step, (mib, objects, blocks, bytes_a_match) in enumerate(lines, start=1)
    ]


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


LEAKS: dict[str, tuple[str, Callable[[Reading], Reading]]] = {
    "a record that grows with the age of the server": (
        "bytes stored a match: 41,200, 15,000 matches later 47,200; ",
        lambda one: replace(one, stored_bytes=one.matches * (40_000 + one.matches // 5)),
    ),
    "three objects for ten matches": (
        "objects: ",
        lambda one: replace(one, objects=70_000 + one.matches * 3 // 10),
    ),
    "nine blocks for twenty matches": (
        "blocks: ",
        lambda one: replace(one, blocks=300_000 + one.matches * 9 // 20),
    ),
    "0.6 KiB a match": (
        "KiB: ",
        lambda one: replace(one, memory_kib=90_000 + one.matches * 6 // 10),
    ),
    "matches that are let go before the last reading": (
        "matches in memory: 0, 15,000 matches later 19,000; ",
        lambda one: replace(one, live=one.matches if one != SOUND[-1] else 0),
    ),
    "matches that end before the last reading": (
        "matches not over: 0, 15,000 matches later 7; ",
        lambda one: replace(one, finished=one.matches - (7 if one != SOUND[-1] else 0)),
    ),
    "tasks that began to stay late": (
        "tasks: 20, 15,000 matches later 23; ",
        lambda one: replace(one, tasks=20 + max(0, one.matches // MATCHES - 17)),
    ),
    "files that began to stay late": (
        "open files: 24, 15,000 matches later 124; ",
        lambda one: replace(one, descriptors=124 if one in SOUND[-4:] else 24),
    ),
}


@pytest.mark.parametrize(("said", "leaking"), LEAKS.values(), ids=LEAKS.keys())
def test_what_leaks_is_a_fault(said: str, leaking: Callable[[Reading], Reading]) -> None:
    (fault,) = faults([leaking(one) for one in SOUND])
    assert fault.startswith(said)


@pytest.mark.parametrize("number", [0, 1, LEAST_READINGS - 1])
def test_few_readings_are_not_judged(number: int) -> None:
    with pytest.raises(ValueError, match=f"{number} readings tell nothing"):
        list(faults(SOUND[:number]))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--matches 40 --steps 1", "--steps: 1 are too few to compare, at least 8"),
        ("--matches 40 --steps 7", "--steps: 7 are too few to compare, at least 8"),
        ("--matches 10 --steps 0", "--steps: 0 are too few to compare, at least 8"),
        ("--matches 10 --steps 20", "--matches: 10 do not make 20 steps"),
        ("--matches 0", "--matches: 0 do not make 20 steps"),
    ],
)
def test_a_run_that_could_not_be_judged_is_refused_before_it_is_played(
    capsys: pytest.CaptureFixture[str], arguments: str, said: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        chosen(arguments.split())
    assert capsys.readouterr().err.endswith(f"error: {said}\n")


@pytest.mark.parametrize(
    ("arguments", "run"), [("", (20_000, 20)), ("--matches 8 --steps 8", (8, 8))]
)
def test_other_runs_are_played(arguments: str, run: tuple[int, int]) -> None:
    read = chosen(arguments.split())
    assert (read.matches, read.steps) == run
    assert list(faults(SOUND[: read.steps])) == []
