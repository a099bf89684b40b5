"""Cards of a deal in the order of their worth: plain cards before trumps, then by rank."""

from durak_server.rules.cards import Mask, cards_of, mask_of, rank_of, suit_of
from durak_server.rules.position import Position


def lowest_first(position: Position, cards: Mask, number: int) -> Mask:
    """Return the `number` least worthy of the cards, all when there are fewer."""
    trump = position.trump
    worth = sorted(cards_of(cards), key=lambda card: (suit_of(card) == trump, rank_of(card)))
    return mask_of(worth[:number])
