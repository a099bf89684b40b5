"""Moves of the wire."""

from typing import Final

from durak_server.api.failures import invalid_field
from durak_server.api.wire_cards import card_from_wire, mask_from_wire, wire_card, wire_mask
from durak_server.api.wire_enums import MOVE_KINDS
from durak_server.pb.durak.v1 import move_pb2
from durak_server.rules import NO_CARD, Move, MoveGroup, MoveKind

_MOST_CARDS: Final = 54
_WITHOUT_CARDS: Final = frozenset({MoveKind.TAKE, MoveKind.PASS, MoveKind.CLAIM_REDEAL})


def move_from_wire(message: move_pb2.Move) -> Move:
    """Return the move of a request.

    Raises:
        CallFailed: the kind is missing or unknown, a card is unknown or named twice, or cards or a
            target are named where the kind has none, or missing where it has them.
    """
    kind = MOVE_KINDS.member(message.kind, "move.kind")
    if len(message.cards) > _MOST_CARDS:
        raise invalid_field("move.cards", f"at most {_MOST_CARDS} cards")
    cards = mask_from_wire(message.cards, "move.cards")
    target = card_from_wire(message.target, "move.target")
    if kind in _WITHOUT_CARDS and cards:
        raise invalid_field("move.cards", f"{kind.name} takes no cards")
    if kind is MoveKind.BEAT and target == NO_CARD:
        raise invalid_field("move.target", "BEAT names the card to cover")
    if kind is not MoveKind.BEAT and target != NO_CARD:
        raise invalid_field("move.target", f"{kind.name} has no target")
    return Move(kind, cards, target)


def wire_group(group: MoveGroup) -> move_pb2.LegalMove:
    """Return a group of legal moves for an answer."""
    return move_pb2.LegalMove(
        kind=MOVE_KINDS[group.kind],
        cards=wire_mask(group.cards),
        target=wire_card(group.target),
        min_cards=group.min_cards,
        max_cards=group.max_cards,
    )
