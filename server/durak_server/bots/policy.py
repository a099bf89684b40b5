"""How house bots choose: from what their seat sees, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from durak_server.matches import BotLevel
from durak_server.rules import Card, Move, MoveGroup, MoveKind, View, cards_of, count, mask_of, pick
from durak_server.rules.cards import rank_of, suit_of

Policy: TypeAlias = Callable[[View, Random], Move]
"""Gives one legal move of a view that has any."""

_HIGH_TRUMP: Final = 9
"""The rank, as `rank_of` counts, from which a trump is high: the jack."""


def choose_random(view: View, dice: Random) -> Move:
    """Return any legal move, each as likely as the other."""
    sizes = [count(group) for group in view.legal_moves]
    index = dice.randrange(sum(sizes))
    for group, size in zip(view.legal_moves, sizes, strict=True):
        if index < size:
            return pick(group, index)
        index -= size
    raise AssertionError("an index below the sum falls into one of the groups")


def choose_lowest(view: View, _dice: Random) -> Move:
    """Return the cheapest move: the lowest card that works, trumps last.

    High trumps are not spent while the stock lasts: the bot would rather take, or pass.
    """
    for kinds in _PREFERENCE:
        moves = [_cheapest(view, group) for group in view.legal_moves if group.kind in kinds]
        moves = [move for move in moves if _is_worth_it(view, move)]
        if moves:
            return min(moves, key=lambda move: _cost(view, move))
    return _cheapest(view, view.legal_moves[0])


POLICIES: Final[Mapping[BotLevel, Policy]] = {
    BotLevel.RANDOM: choose_random,
    BotLevel.LOWEST: choose_lowest,
}

# A bot never claims a new deal and never takes a card back: both are a player's whims.
_PREFERENCE: Final[Sequence[frozenset[MoveKind]]] = (
    frozenset({MoveKind.SHOW}),
    frozenset({MoveKind.TRANSFER}),
    frozenset({MoveKind.BEAT}),
    frozenset({MoveKind.ATTACK, MoveKind.THROW_IN, MoveKind.DUMP}),
    frozenset({MoveKind.TAKE}),
    frozenset({MoveKind.PASS}),
)


def _cheapest(view: View, group: MoveGroup) -> Move:
    """Return the move of a group with the fewest and lowest cards."""
    cards = sorted(cards_of(group.cards), key=lambda card: _value(view, card))
    return Move(group.kind, mask_of(cards[: group.min_cards]), group.target)


def _is_worth_it(view: View, move: Move) -> bool:
    if not view.stock_size or move.kind in (MoveKind.ATTACK, MoveKind.SHOW):
        return True
    trumps = [card for card in cards_of(move.cards) if _is_trump(view, card)]
    if move.kind in (MoveKind.THROW_IN, MoveKind.TRANSFER, MoveKind.DUMP):
        return not trumps
    return all(rank_of(card) < _HIGH_TRUMP for card in trumps)


def _cost(view: View, move: Move) -> tuple[int, ...]:
    return tuple(_value(view, card) for card in cards_of(move.cards))


def _value(view: View, card: Card) -> int:
    return rank_of(card) + (100 if _is_trump(view, card) else 0)


def _is_trump(view: View, card: Card) -> bool:
    return suit_of(card) in (view.trump_suit, -1)
