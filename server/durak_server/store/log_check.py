"""Whether the logs of a store can be read and hold together."""

from collections.abc import Iterator, Sequence

from durak_server.matches import BrokenLog, Match, checked_fold, summary
from durak_server.store.errors import StoreCorrupt
from durak_server.store.event_kinds import RECORDS
from durak_server.store.read_only import Body, ReadOnlyStore


def problems_of_match(store: ReadOnlyStore, match_id: str) -> list[str]:
    """Return what is wrong with a match, as sentences; none if all is well.

    Its records must be numbered without gaps, be known by name and version, fold with every card
    accounted for, and lead to what the catalogue says.
    """
    return list(_problems(store, match_id))


def checked_match(bodies: Sequence[Body]) -> Match:
    """Return the match that a whole log leads to.

    Raises:
        StoreCorrupt: one cannot be understood.
        BrokenLog: one is missing, or they do not fold.
    """
    for expected, (sequence, _) in enumerate(bodies, 1):
        if sequence != expected:
            raise BrokenLog(f"record {expected} is missing")
    return checked_fold(RECORDS.decode(sequence, body) for sequence, body in bodies)


def _problems(store: ReadOnlyStore, match_id: str) -> Iterator[str]:
    bodies = store.bodies(match_id)
    if not bodies:
        yield "it is in the catalogue and has no records"
        return
    try:
        match = checked_match(bodies)
    except (BrokenLog, StoreCorrupt) as error:
        yield str(error)
        return
    yield from _differences(store, match_id, match)


def _differences(store: ReadOnlyStore, match_id: str, match: Match) -> Iterator[str]:
    if match.match_id != match_id:
        yield f"its first record makes the match {match.match_id}"
    try:
        listed = store.summary(match_id)
    except StoreCorrupt as error:
        yield str(error)
        return
    if listed is None:
        yield "it has records and is not in the catalogue"
    elif listed != summary(match):
        yield "the catalogue says something else than the records"
