"""What each viewer of a match may know after each event, worked out from the full log."""

from collections.abc import Iterable

from durak_server.matches import DealCommitted, History, Record, SeedRevealed
from durak_server.rules import (
    Beaten,
    Card,
    DealStarted,
    Drew,
    Dumped,
    Led,
    RedealClaimed,
    Retracted,
    Shown,
    ThrownIn,
    Transferred,
    card_name,
    cards_of,
)

SPECTATOR = None


def wire_number(card: Card) -> int:
    """Return a card's number as the contract defines it."""
    name = card_name(card)
    return 16 * ("SHDC".index(name[1]) + 1) + "23456789TJQKA".index(name[0]) + 2


class Knowledge:
    """The wire's numbers of the cards known by seat, or by a spectator, after each event.

    Of one deal: what was dealt or drawn by the viewer himself, the card turned up, and all that
    ever lay open; everything once its seed is shown.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._open: set[int] = set()
        self._own: dict[int, set[int]] = {}
        self._after: list[tuple[frozenset[int], dict[int, frozenset[int]]]] = [(frozenset(), {})]
        for record in history.records(0):
            self._learn(record)
            own = {seat: frozenset(cards) for seat, cards in self._own.items()}
            self._after.append((frozenset(self._open), own))

    @property
    def seeds_by_sequence_of_showing(self) -> list[tuple[int, bytes]]:
        """The server's seeds, each with the event that shows it; one past the last if none does."""
        records = self._history.records(0)
        shown = {
            record.event.shuffle: record.sequence
            for record in records
            if isinstance(record.event, SeedRevealed)
        }
        return [
            (shown.get(record.event.shuffle, len(records) + 1), record.event.server_seed)
            for record in records
            if isinstance(record.event, DealCommitted)
        ]

    def known(self, seat: int | None, sequence: int) -> frozenset[int]:
        """Return what a viewer may know after that event."""
        everybody, own = self._after[sequence]
        return everybody if seat is None else everybody | own.get(seat, frozenset())

    def _learn(self, record: Record) -> None:
        match record.event:
            case DealStarted():
                self._deal(record.sequence)
            case Drew(seat, cards):
                self._own.setdefault(seat, set()).update(map(wire_number, cards))
            case Beaten(_, target, card):
                self._show((target, card))
            case Led(_, cards) | ThrownIn(_, cards) | Transferred(_, cards) | Dumped(_, cards):
                self._show(cards)
            case RedealClaimed(_, cards):
                self._show(cards)
            case Shown(_, card) | Retracted(_, card):
                self._show((card,))
            case SeedRevealed():
                self._open = set(range(128))
            case _:
                pass

    def _deal(self, sequence: int) -> None:
        dealt = self._history.dealt_at(sequence)
        assert dealt
        trump = dealt.position.trump_card
        self._open = {wire_number(trump)} if trump >= 0 else set()
        self._own = {
            seat: set(map(wire_number, cards_of(hand))) for seat, hand in enumerate(dealt.hands)
        }

    def _show(self, cards: Iterable[Card]) -> None:
        self._open.update(map(wire_number, cards))
