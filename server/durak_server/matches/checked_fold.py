"""Folding a log with suspicion, as whoever checks a store does."""

from collections.abc import Iterable

from durak_server.matches.apply import BrokenLog, apply
from durak_server.matches.events import Record
from durak_server.matches.state import Match
from durak_server.rules import Card, Position, cards_of, deck_cards


def checked_fold(records: Iterable[Record]) -> Match:
    """Return the match that the records fold to, every card accounted for after each of them.

    Raises:
        BrokenLog: a record cannot follow, loses a card or doubles one, or there are none.
    """
    match: Match | None = None
    for record in records:
        match = _next(match, record)
        if match.position and not _is_whole(match.position):
            raise BrokenLog(f"record {record.sequence} loses or doubles a card")
    if match is None:
        raise BrokenLog("there are no records")
    return match


def _next(match: Match | None, record: Record) -> Match:
    try:
        return apply(match, record)
    except BrokenLog:
        raise
    except Exception as error:  # `apply` trusts a log: what it raises for nonsense is anything
        kind = type(record.event).__name__
        raise BrokenLog(f"record {record.sequence}: {kind} cannot be here") from error


def _is_whole(position: Position) -> bool:
    covered = position.covers.keys() <= position.attacks.keys()
    return covered and sorted(_cards(position)) == list(deck_cards(position.law.rules.deck))


def _cards(position: Position) -> list[Card]:
    """Return the cards of every place, in any order."""
    cards = [*position.stock, *position.attacks, *position.covers.values()]
    dumped = (mask for _, mask in position.dumps)
    for mask in (*position.hands, *dumped, position.discard, position.removed):
        cards += cards_of(mask)
    return cards
