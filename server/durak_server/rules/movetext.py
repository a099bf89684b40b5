"""A move as words, and back: "attack 7S 7D", "beat 7S 9S", "take".

The target of "beat" comes before the card that covers it.
"""

from typing import Final

from durak_server.rules.cards import NO_CARD, card_name, cards_of, parse_card
from durak_server.rules.check import make_move
from durak_server.rules.moves import Move, MoveKind
from durak_server.rules.refusals import Refusal

_KINDS: Final = {
    "attack": MoveKind.ATTACK,
    "throw": MoveKind.THROW_IN,
    "beat": MoveKind.BEAT,
    "transfer": MoveKind.TRANSFER,
    "show": MoveKind.SHOW,
    "take": MoveKind.TAKE,
    "pass": MoveKind.PASS,
    "retract": MoveKind.RETRACT,
    "dump": MoveKind.DUMP,
    "claim": MoveKind.CLAIM_REDEAL,
}
_VERBS: Final = {kind: verb for verb, kind in _KINDS.items()}


def format_move(move: Move) -> str:
    """Return the move as words, its cards in ascending order."""
    target = () if move.target == NO_CARD else (move.target,)
    cards = map(card_name, (*target, *cards_of(move.cards)))
    return " ".join((_VERBS[move.kind], *cards))


def parse_move(text: str) -> Move | Refusal:
    """Return the move that the words name, or why no move names such cards.

    Raises:
        ValueError: there is no such verb or card.
    """
    if not text.split():
        raise ValueError("a move begins with a verb")
    verb, *words = text.split()
    kind = _KINDS.get(verb)
    if kind is None:
        raise ValueError(f"unknown verb: {verb}")
    cards = [parse_card(word) for word in words]
    target = cards.pop(0) if kind is MoveKind.BEAT and cards else NO_CARD
    return make_move(kind, cards, target)
