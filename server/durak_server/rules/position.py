"""Everything there is to know about a deal between two moves."""

from typing import Final

from durak_server.rules.cards import NO_CARD, Card, Mask
from durak_server.rules.events import DealEnded
from durak_server.rules.law import Law

_FIELDS: Final = (
    "attackers",
    "attacks",
    "barren",
    "bouts",
    "covers",
    "dealer",
    "defender",
    "discard",
    "dumps",
    "emptied",
    "finishing",
    "forfeited",
    "hands",
    "holding",
    "in_play",
    "known",
    "law",
    "leader",
    "limit",
    "main_attacker",
    "moved",
    "on_table",
    "out",
    "passed",
    "ranks",
    "removed",
    "result",
    "retracted",
    "shown",
    "stock",
    "taking",
    "thrown",
    "trump",
    "trump_card",
    "uncovered",
)


class Position:
    """The whole state of a deal, hidden cards included.

    A plain mutable object because the engine plays millions of moves on copies of its own.
    Outside this package it is a value: `play`, `apply` and `forfeit` leave theirs untouched.
    """

    __slots__ = _FIELDS

    def __init__(self, law: Law, dealer: int) -> None:
        seats = law.seats
        self.law = law
        self.trump = 0
        """The suit, as in a card's number."""
        self.trump_card: Card = NO_CARD
        """The card turned up, wherever it is now, or NO_CARD if none was."""
        self.dealer = dealer
        self.stock: tuple[Card, ...] = ()
        """Next card first; an open trump is the last."""
        self.hands: list[Mask] = [0] * seats
        self.known: list[Mask] = [0] * seats
        """The cards in each hand that everybody has seen go there."""
        self.holding = 0
        """The seats that hold cards; like every set of seats, bit k for seat k."""
        self.in_play = 0
        """The seats that have neither gone out nor left."""
        self.out: tuple[tuple[int, ...], ...] = ()
        """Who went out, first first; seats with one place together."""
        self.forfeited: tuple[int, ...] = ()
        self.discard: Mask = 0
        self.removed: Mask = 0
        """Cards that left play with a player."""
        self.bouts = 0
        """Bouts beaten or taken so far."""
        self.barren = 0
        """Bouts in a row after which nobody drew, nothing was discarded and nobody went out."""
        self.moved = 0
        """The seats that have made a move in this deal."""
        self.result: DealEnded | None = None
        self.leader = self.main_attacker = self.defender = dealer
        self.attackers = 0
        """The seats entitled to throw in on this defender, even with no cards left."""
        self.limit = 0
        """The most attack cards this bout may have."""
        self.emptied: tuple[int, ...] = ()
        """Who laid a last card in this bout, first first."""
        self.finishing: Mask = 0
        """The attack cards with which a hand was last emptied in this bout."""
        self._lay_table()
        self.clear_table()

    def _lay_table(self) -> None:
        self.attacks: dict[Card, int] = {}
        """The attack cards in the order in which they were laid, each with the seat that did."""
        self.covers: dict[Card, Card] = {}
        """By attack card the card that covers it."""

    def clear_table(self) -> None:
        """Forget what lay on the table and who passed; the cards must have gone elsewhere."""
        self.attacks.clear()
        self.covers.clear()
        self.on_table: Mask = 0
        self.ranks: Mask = 0
        """Every card, wherever it is, whose rank lies on the table."""
        self.uncovered: Mask = 0
        self.thrown: Mask = 0
        """The attack cards that were thrown in."""
        self.retracted: Mask = 0
        """Cards that were taken back once in this bout."""
        self.shown: Mask = 0
        self.dumps: tuple[tuple[int, Mask], ...] = ()
        """Cards laid aside in this bout, with the seat, in order."""
        self.passed = 0
        self.taking = False

    def copy(self) -> "Position":
        """Return an equal position that shares nothing that changes."""
        twin = Position(self.law, self.dealer)
        self._copy_deal_to(twin)
        self._copy_bout_to(twin)
        return twin

    # Written out: going through the names takes three times as long.
    def _copy_deal_to(self, twin: "Position") -> None:
        twin.hands = self.hands.copy()
        twin.known = self.known.copy()
        twin.trump = self.trump
        twin.trump_card = self.trump_card
        twin.leader = self.leader
        twin.main_attacker = self.main_attacker
        twin.defender = self.defender
        twin.stock = self.stock
        twin.holding = self.holding
        twin.in_play = self.in_play
        twin.out = self.out
        twin.forfeited = self.forfeited
        twin.discard = self.discard
        twin.removed = self.removed
        twin.bouts = self.bouts
        twin.barren = self.barren
        twin.moved = self.moved
        twin.result = self.result

    def _copy_bout_to(self, twin: "Position") -> None:
        twin.attacks = self.attacks.copy()
        twin.covers = self.covers.copy()
        twin.attackers = self.attackers
        twin.limit = self.limit
        twin.emptied = self.emptied
        twin.finishing = self.finishing
        twin.on_table = self.on_table
        twin.ranks = self.ranks
        twin.uncovered = self.uncovered
        twin.thrown = self.thrown
        twin.retracted = self.retracted
        twin.shown = self.shown
        twin.dumps = self.dumps
        twin.passed = self.passed
        twin.taking = self.taking

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._lies_as(other) and all(
            getattr(self, name) == getattr(other, name) for name in _FIELDS
        )

    def _lies_as(self, other: "Position") -> bool:
        return list(self.attacks) == list(other.attacks)  # dicts are equal in any order

    # A position may change, so it is no key.
    __hash__ = None  # type: ignore[assignment]  # the way Python spells "not hashable"
