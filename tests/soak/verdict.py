"""Whether a server that has played many matches holds more than it did after the first of them."""

from collections.abc import Iterator, Sequence

from tests.soak.lifetimes import Reading

PARTS = 4
"""The first readings in so many parts of all are compared with the last, each by its lowest.

What is remembered for a while comes and goes with the pace of the matches; what leaks stays.
"""
OBJECTS, BLOCKS = 2_000, 10_000
"""By which readings differ without a leak."""
MEMORY_KIB = 4_096
"""The same for resident memory, which is also what the allocator does not give back."""
OBJECTS_A_MATCH, BLOCKS_A_MATCH, KIB_A_MATCH = 0.1, 0.5, 0.5


def faults(readings: Sequence[Reading]) -> Iterator[str]:
    """Yield in what the last readings show more than the first ones, beyond the bounds above."""
    part = max(1, len(readings) // PARTS)
    first, last = readings[:part], readings[-part:]
    end = last[-1]
    matches = end.matches - first[-1].matches

    def least(figure: str) -> tuple[int, int]:
        before, after = (min(getattr(one, figure) for one in some) for some in (first, last))
        return before, after

    bounds = (
        ("matches in memory", (0, end.live), 0.0),
        ("matches not over", (0, end.matches - end.finished), 0.0),
        ("tasks", least("tasks"), 0.0),
        ("open files", least("descriptors"), 0.0),
        ("objects", least("objects"), OBJECTS + matches * OBJECTS_A_MATCH),
        ("blocks", least("blocks"), BLOCKS + matches * BLOCKS_A_MATCH),
        ("KiB", least("memory_kib"), MEMORY_KIB + matches * KIB_A_MATCH),
    )
    for name, (before, after), more in bounds:
        if after > before + more:
            grown = f"{name}: {before:,}, {matches:,} matches later {after:,}"
            yield f"{grown}; at most {more:,.0f} more"
