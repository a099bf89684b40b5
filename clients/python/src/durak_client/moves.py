"""Moves, and the groups in which the server lists the legal ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from durak_client.cards import Card, Suit
from durak_client.open_enum import OpenEnum


class MoveKind(OpenEnum):
    """What a player means to do; one card may serve two intents."""

    UNSPECIFIED = 0
    ATTACK = 1
    THROW_IN = 2
    BEAT = 3
    TRANSFER = 4
    SHOW = 5
    TAKE = 6
    PASS = 7
    RETRACT = 8
    DUMP = 9
    CLAIM_REDEAL = 10


@dataclass(frozen=True, slots=True)
class Move:
    """One move. The order of `cards` says nothing; `target` is the card that a BEAT covers."""

    kind: MoveKind
    cards: tuple[Card, ...] = ()
    target: Card | None = None

    def __str__(self) -> str:
        """Return the move as `beat 7♠ with 9♠`."""
        cards = " ".join(map(str, self.cards))
        if self.target is not None:
            return f"{self.kind.word} {self.target} with {cards}"
        return f"{self.kind.word} {cards}".rstrip()


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A group of legal moves: any choice of `min_cards` to `max_cards` of `cards`."""

    kind: MoveKind
    cards: tuple[Card, ...]
    target: Card | None
    min_cards: int
    max_cards: int

    def __iter__(self) -> Iterator[Move]:
        """Iterate over the moves one by one, as `moves` does."""
        return self.moves()

    def __len__(self) -> int:
        """Return how many moves the group holds; it may be millions."""
        sizes = range(self.min_cards, self.max_cards + 1)
        return sum(comb(len(self.cards), size) for size in sizes)

    def moves(self) -> Iterator[Move]:
        """Make the moves when asked for them, those with few cards first."""
        for size in range(self.min_cards, self.max_cards + 1):
            for cards in combinations(self.cards, size):
                yield Move(self.kind, cards, self.target)

    def lowest(self, trump: Suit = Suit.UNSPECIFIED) -> Move:
        """Return the move that costs least: fewest cards, of the lowest rank, trumps last."""
        by_worth = sorted(self.cards, key=lambda card: (card.suit == trump, card.rank, card))
        return Move(self.kind, tuple(by_worth[: self.min_cards]), self.target)

    def allows(self, move: Move) -> bool:
        """Return whether `move` is one of the group."""
        return (
            move.kind == self.kind
            and move.target == self.target
            and self.min_cards <= len(move.cards) <= self.max_cards
            and len(set(move.cards)) == len(move.cards)
            and set(move.cards) <= set(self.cards)
        )
