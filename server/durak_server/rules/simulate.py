"""Whole deals played in the process, by the same step that the service plays moves with.

One seat is asked at a time, in the order of `first_to_act`. Everything random comes from the
numbers of `Dice.random`: that stream Python promises to keep, while its shuffle and choice may
change with a version. So the same seed gives the same deals on every machine.
"""

from collections.abc import Iterator
from typing import Protocol

from durak_server.rules.at_random import play_defence, play_lead, play_throw_in
from durak_server.rules.cards import Card
from durak_server.rules.deal import open_deal
from durak_server.rules.law import law_of
from durak_server.rules.legal import legal_moves
from durak_server.rules.moves import Move, MoveGroup, count, pick
from durak_server.rules.options import RuleSet
from durak_server.rules.play import advance
from durak_server.rules.position import Position
from durak_server.rules.seating import NOBODY, first_to_act


class Dice(Protocol):
    """A source of randomness, such as random.Random(seed)."""

    def random(self) -> float:
        """Return a number from 0 to below 1, a multiple of 2**-53."""


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


def shuffle(cards: list[Card], dice: Dice) -> None:
    """Shuffle in place, from the back, each card with one before it or itself.

    One throw tells the partners of two cards. No order of 54 cards is likelier than another by
    more than one in 10**11.
    """
    random = dice.random
    for last in range(len(cards) - 1, 0, -2):
        fall = random() * (last + 1)
        other = int(fall)
        cards[last], cards[other] = cards[other], cards[last]
        other = int((fall - other) * last)
        cards[last - 1], cards[other] = cards[other], cards[last - 1]


def simulate(
    rules: RuleSet, deals: int, dice: Dice, choose: Chooser | None = None
) -> Iterator[Position]:
    """Yield the final position of each of the `openings`, played out by `play_out`."""
    for position in openings(rules, deals, dice):
        play_out(position, dice, choose)
        yield position


def openings(rules: RuleSet, deals: int, dice: Dice) -> Iterator[Position]:
    """Yield so many dealt positions; the first seat deals the first, and then each in turn.

    Every deal is a first deal: the lowest trump leads.
    """
    law = law_of(rules)
    deck = list(law.deck)
    for number in range(deals):
        shuffle(deck, dice)
        yield open_deal(law, deck, number % law.seats, None, law.everyone, None)


def play_out(position: Position, dice: Dice, choose: Chooser | None = None) -> int:
    """Play a deal to its end in place and return how many moves that took.

    Without a chooser each legal move is as likely as the other, as with `choose_uniformly`, and
    found faster.
    """
    return _play_at_random(position, dice) if choose is None else _play(position, dice, choose)


def _play_at_random(position: Position, dice: Dice) -> int:
    moves = 0
    fall = dice.random
    seat = position.leader
    attacks = position.attacks
    while seat != NOBODY:
        if not attacks:
            seat = play_lead(position, fall)
        elif seat == position.defender:
            seat = play_defence(position, fall)
        else:
            seat = play_throw_in(position, seat, fall)
        moves += 1
    return moves


def _play(position: Position, dice: Dice, choose: Chooser) -> int:
    moves = 0
    while position.result is None:
        seat = first_to_act(position)
        advance(position, seat, choose(position, seat, legal_moves(position, seat), dice))
        moves += 1
    return moves
