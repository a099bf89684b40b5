"""The legal moves by number, and what a player typed as one of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from durak_client.cards import Card, Suit
from durak_client.cli import words
from durak_client.moves import LegalMove, Move, MoveKind
from durak_client.view import View

_WORDS = {
    "t": MoveKind.TAKE,
    "take": MoveKind.TAKE,
    "p": MoveKind.PASS,
    "pass": MoveKind.PASS,
    "b": MoveKind.PASS,
    "bito": MoveKind.PASS,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move of one card, or of none, and its number."""

    number: int
    move: Move


class NotAMove(Exception):
    """What was typed is no legal move; the text says why."""


def sorted_hand(cards: Iterable[Card], trump: Suit) -> tuple[Card, ...]:
    """Return the cards as one holds them: suit by suit, low to high, trumps last."""
    return tuple(sorted(cards, key=lambda card: (card.suit == trump, card.number)))


def choices(view: View) -> tuple[Choice, ...]:
    """Return the moves of at most one card, numbered from 1 in the order of the hand."""
    hand = {card: place for place, card in enumerate(sorted_hand(view.hand, view.trump))}
    moves = [move for group in view.legal_moves for move in _smallest(group)]
    last = len(hand)
    moves.sort(key=lambda move: hand.get(move.cards[0], last) if move.cards else last + 1)
    return tuple(Choice(number, move) for number, move in enumerate(moves, 1))


def typed_move(text: str, view: View) -> Move:
    """Return the move that `text` means: a number, numbers, cards or a word.

    Raises:
        NotAMove: it is none that is legal now, or not clear which.
    """
    tokens = text.replace(",", " ").lower().split()
    if all(token.isdecimal() for token in tokens):
        return _by_numbers([int(token) for token in tokens], view)
    if len(tokens) == 1 and tokens[0] in _WORDS:
        return _only([Move(_WORDS[tokens[0]])], view)
    try:
        cards = tuple(map(Card.parse, tokens))
    except ValueError:
        raise NotAMove(words.NO_SUCH_MOVE) from None
    return _only(_meanings(cards, view), view)


def _smallest(group: LegalMove) -> list[Move]:
    if not group.cards:
        return [Move(group.kind)]
    return [Move(group.kind, (card,), group.target) for card in group.cards]


def _by_numbers(numbers: list[int], view: View) -> Move:
    """Return the move of one number, or the one that plays the cards of several together."""
    by_number = {choice.number: choice.move for choice in choices(view)}
    for number in numbers:
        if number not in by_number:
            raise NotAMove(words.NO_SUCH_NUMBER.format(number=number, last=len(by_number)))
    moves = [by_number[number] for number in numbers]
    if len(moves) == 1:
        return moves[0]
    cards = tuple(card for move in moves for card in move.cards)
    joined = Move(moves[0].kind, cards, moves[0].target)
    alike = len({(move.kind, move.target) for move in moves}) == 1
    if not alike or not _is_legal(joined, view):
        raise NotAMove(words.NOT_TOGETHER)
    return joined


def _meanings(cards: tuple[Card, ...], view: View) -> list[Move]:
    """Return what playing `cards` could mean; two may be an attack card and its cover."""
    kinds = {(group.kind, group.target) for group in view.legal_moves}
    moves = [Move(kind, cards, target) for kind, target in sorted(kinds, key=str)]
    if len(cards) == 2:
        moves.append(Move(MoveKind.BEAT, cards[1:], cards[0]))
    return moves


def _only(moves: list[Move], view: View) -> Move:
    legal = [move for move in moves if _is_legal(move, view)]
    if len(legal) == 1:
        return legal[0]
    if not legal:
        raise NotAMove(words.NO_SUCH_MOVE)
    numbers = [str(choice.number) for choice in choices(view) if choice.move in legal]
    raise NotAMove(words.SEVERAL_MEANINGS.format(numbers=", ".join(numbers)))


def _is_legal(move: Move, view: View) -> bool:
    return any(group.allows(move) for group in view.legal_moves)
