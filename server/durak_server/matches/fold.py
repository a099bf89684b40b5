"""A log folded into matches, record by record."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from durak_server.matches.apply import apply
from durak_server.matches.events import Record
from durak_server.matches.state import Match


class Folded(NamedTuple):
    """A record, and the match after it."""

    record: Record
    match: Match


def fold(match: Match | None, records: Iterable[Record]) -> Iterator[Folded]:
    """Yield what each of the records that follow `match` makes of it.

    Raises:
        BrokenLog: a record cannot follow.
    """
    for record in records:
        match = apply(match, record)
        yield Folded(record, match)
