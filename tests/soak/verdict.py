"""Whether a server that has played many matches holds more than it did after the first of them."""

from collections.abc import Callable, Iterator, Sequence

from tests.soak.lifetimes import Reading

PARTS = 4
"""The first readings in so many parts of all are compared with the last."""
LEAST_READINGS = 2 * PARTS
"""Two in a part: what a match takes on the disk is seen between two."""
OBJECTS, BLOCKS = 4_000, 6_000
"""By which the lowest readings of two parts differ without a leak, however many are played."""
MEMORY_KIB = 8_192
"""The same for resident memory, which is also what the allocator does not give back."""
STORED_BYTES, STORED_SHARE = 4 * 1024 * 1024, 0.02
"""By how much a part adds more to the disk than another: the log beside the store, longer games."""

Figure = Callable[[Reading], int]
Compared = tuple[str, float, float, float]
"""A figure's name, what it was at first and at last, and by how much it may have grown."""


def faults(readings: Sequence[Reading]) -> Iterator[str]:
    """Yield in what the last readings show more than the first ones, beyond the bounds above.

    Raises:
        ValueError: there are fewer than `LEAST_READINGS`.
    """
    if len(readings) < LEAST_READINGS:
        raise ValueError(f"{len(readings)} readings tell nothing, {LEAST_READINGS} would")
    part = len(readings) // PARTS
    first, last = readings[:part], readings[-part:]
    later = last[-1].matches - first[-1].matches
    for name, before, after, more in (
        *_constant(first, last),
        *_noisy(first, last),
        _stored(first, last),
    ):
        if after > before + more:
            grown = f"{name}: {before:,.0f}, {later:,} matches later {after:,.0f}"
            yield f"{grown}; at most {more:,.0f} more"


def _constant(first: Sequence[Reading], last: Sequence[Reading]) -> Iterator[Compared]:
    """Compare by the highest reading: between matches nothing of this may come and go."""
    figures: tuple[tuple[str, Figure], ...] = (
        ("tasks", lambda one: one.tasks),
        ("open files", lambda one: one.descriptors),
    )
    yield "matches in memory", 0, max(one.live for one in last), 0
    yield "matches not over", 0, max(one.matches - one.finished for one in last), 0
    for name, figure in figures:
        yield name, max(map(figure, first)), max(map(figure, last)), 0


def _noisy(first: Sequence[Reading], last: Sequence[Reading]) -> Iterator[Compared]:
    """Compare by the lowest reading.

    What is remembered for a while comes and goes with the pace of the matches; what leaks stays.
    """
    figures: tuple[tuple[str, Figure, int], ...] = (
        ("objects", lambda one: one.objects, OBJECTS),
        ("blocks", lambda one: one.blocks, BLOCKS),
        ("KiB", lambda one: one.memory_kib, MEMORY_KIB),
    )
    for name, figure, more in figures:
        yield name, min(map(figure, first)), min(map(figure, last)), more


def _stored(first: Sequence[Reading], last: Sequence[Reading]) -> Compared:
    """Compare what a match of each part has added to the disk."""
    before, after = _bytes_a_match(first), _bytes_a_match(last)
    noise = STORED_BYTES / (last[-1].matches - last[0].matches)
    return "bytes stored a match", before, after, before * STORED_SHARE + noise


def _bytes_a_match(part: Sequence[Reading]) -> float:
    begun, ended = part[0], part[-1]
    return (ended.stored_bytes - begun.stored_bytes) / (ended.matches - begun.matches)
