"""Random play: whole deals by the same step that the service plays moves with."""

from collections.abc import Iterator
from typing import Protocol

from durak_server.rules.deal import open_deal
from durak_server.rules.law import law_of
from durak_server.rules.legal import legal_moves
from durak_server.rules.moves import Move, MoveGroup, count, pick
from durak_server.rules.options import RuleSet
from durak_server.rules.play import advance
from durak_server.rules.position import Position
from durak_server.rules.seating import to_act


class Dice(Protocol):
    """A source of randomness, such as random.Random(seed)."""

    def random(self) -> float:
        """Return a number from 0 to below 1."""

    def shuffle(self, x: list[int]) -> None:
        """Shuffle in place."""


class Chooser(Protocol):
    """Chooses a move for the seat that acts."""

    def __call__(
        self, position: Position, seat: int, groups: list[MoveGroup], dice: Dice, /
    ) -> Move:
        """Return one move of the groups."""


def choose_uniformly(_position: Position, _seat: int, groups: list[MoveGroup], dice: Dice) -> Move:
    """Return one of all legal moves, each with the same probability."""
    total = 0
    for group in groups:
        total += count(group)
    index = int(dice.random() * total)
    for group in groups:
        size = count(group)
        if index < size:
            return pick(group, index)
        index -= size
    raise AssertionError("an index below the sum falls into a group")


def simulate(
    rules: RuleSet, deals: int, dice: Dice, choose: Chooser = choose_uniformly
) -> Iterator[Position]:
    """Yield the final position of each of so many deals; the first seat deals the first.

    The seat that acts is drawn among those the deal waits for. Every deal is a first deal: the
    lowest trump leads.
    """
    law = law_of(rules)
    deck = list(law.deck)
    for number in range(deals):
        dice.shuffle(deck)
        position = open_deal(law, deck, number % law.seats, None, None)
        while position.result is None:
            seats = to_act(position)
            seat = seats[0] if len(seats) == 1 else seats[int(dice.random() * len(seats))]
            advance(position, seat, choose(position, seat, legal_moves(position, seat), dice))
        yield position
