"""Cards as the wire numbers them: 16 * suit + rank (ADR 5)."""

from collections.abc import Iterable
from typing import Final

from durak_server.api.failures import invalid_field
from durak_server.pb.durak.v1.card_pb2 import Card as WireCard
from durak_server.pb.durak.v1.card_pb2 import Suit as WireSuit
from durak_server.rules import NO_CARD, Card, Mask, card_name, cards_of, deck_cards, mask_of

_JOKERS: Final = {52: 81, 53: 82}


def _number(card: Card) -> WireCard.ValueType:
    suit, rank = divmod(card, 13)
    return WireCard.ValueType(_JOKERS.get(card, 16 * (suit + 1) + rank + 2))


_NUMBERS: Final = {card: _number(card) for card in deck_cards(54)}
_CARDS: Final = {number: card for card, number in _NUMBERS.items()}
SUITS: Final = tuple(WireSuit.ValueType(number) for number in (1, 2, 3, 4))
"""The wire's suits in the order of ours."""


def wire_card(card: Card | None) -> WireCard.ValueType:
    """Return the wire's number of a card; 0 for none."""
    return WireCard.CARD_UNSPECIFIED if card is None or card == NO_CARD else _NUMBERS[card]


def wire_cards(cards: Iterable[Card]) -> list[WireCard.ValueType]:
    """Return the wire's numbers of cards, in the same order."""
    return [_NUMBERS[card] for card in cards]


def wire_mask(cards: Mask) -> list[WireCard.ValueType]:
    """Return the wire's numbers of a set of cards, ascending."""
    return [_NUMBERS[card] for card in cards_of(cards)]


def card_from_wire(number: int, field: str) -> Card:
    """Return the card of a number in a request; NO_CARD for 0.

    Raises:
        CallFailed: no card has that number.
    """
    if not number:
        return NO_CARD
    card = _CARDS.get(WireCard.ValueType(number))
    if card is None:
        raise invalid_field(field, f"{number} is no card")
    return card


def mask_from_wire(numbers: Iterable[int], field: str) -> Mask:
    """Return the set of the cards in a request.

    Raises:
        CallFailed: a number is no card, or a card is named twice.
    """
    cards: list[Card] = []
    for index, number in enumerate(numbers):
        card = card_from_wire(number, f"{field}[{index}]")
        if card == NO_CARD:
            raise invalid_field(f"{field}[{index}]", "must be a card")
        if card in cards:
            raise invalid_field(f"{field}[{index}]", f"{card_name(card)} is named twice")
        cards.append(card)
    return mask_of(cards)
