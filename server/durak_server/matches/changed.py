"""A match with some of its facts changed: folding a log is little else."""

from typing import TYPE_CHECKING

__all__ = ["changed"]

if TYPE_CHECKING:
    # The type checker knows that one, and which facts there are.
    from dataclasses import replace as changed
else:

    def changed(match, /, **facts):
        """Return a copy of a frozen match with other facts.

        It is `dataclasses.replace` for a class without slots, whose facts are copied as one dict:
        for as many as a match has that takes a tenth of the time.
        """
        copy = object.__new__(type(match))
        object.__setattr__(copy, "__dict__", vars(match) | facts)
        return copy
