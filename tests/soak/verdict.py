"""Whether a server that has played many matches holds more than it did after the first of them."""

from collections.abc import Iterator, Sequence

from tests.soak.lifetimes import Reading

WARM = 4
"""The first reading in so many parts of all is the one with which the last is compared."""
OBJECTS, BLOCKS = 2_000, 10_000
"""By which readings differ without a leak: players are remembered for a while, more or fewer."""
MEMORY_KIB = 4_096
"""The same for resident memory, which is also what the allocator does not give back."""
OBJECTS_A_MATCH, BLOCKS_A_MATCH, KIB_A_MATCH = 0.1, 0.5, 0.5


def faults(readings: Sequence[Reading]) -> Iterator[str]:
    """Yield in what the last reading shows more than an early one, beyond the bounds above."""
    warm, end = readings[len(readings) // WARM], readings[-1]
    matches = end.matches - warm.matches
    bounds = (
        ("matches in memory", 0, end.live, 0.0),
        ("matches not over", 0, end.matches - end.finished, 0.0),
        ("tasks", warm.tasks, end.tasks, 0.0),
        ("open files", warm.descriptors, end.descriptors, 0.0),
        ("objects", warm.objects, end.objects, OBJECTS + matches * OBJECTS_A_MATCH),
        ("blocks", warm.blocks, end.blocks, BLOCKS + matches * BLOCKS_A_MATCH),
        ("KiB", warm.memory_kib, end.memory_kib, MEMORY_KIB + matches * KIB_A_MATCH),
    )
    for name, before, after, more in bounds:
        if after > before + more:
            grown = f"{name}: {before:,}, {matches:,} matches later {after:,}"
            yield f"{grown}; at most {more:,.0f} more"
