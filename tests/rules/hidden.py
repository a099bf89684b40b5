"""Changing what a viewer cannot know, and nothing else."""

from random import Random

from durak_server.rules import Position, cards_of
from durak_server.rules.cards import BIT, NO_CARD, Mask, size_of


def reshuffle_hidden(position: Position, seat: int | None, random: Random) -> Position:
    """Return a position that looks the same to `seat` (None: a spectator).

    Every card that the viewer has not seen go to its place is exchanged at random with the others
    of that kind: unknown cards in the other hands, the stock above the open trump, the discard and
    what left with a player.
    """
    twin = position.copy()
    open_trump = position.trump_card if position.trump_card in position.stock else NO_CARD
    covered = [card for card in position.stock if card != open_trump]
    secret = [
        0 if holder == seat else hand & ~known
        for holder, (hand, known) in enumerate(zip(position.hands, position.known, strict=True))
    ]
    pool = [*covered, *cards_of(position.discard), *cards_of(position.removed)]
    for cards in secret:
        pool.extend(cards_of(cards))
    random.shuffle(pool)
    tail = (open_trump,) if open_trump != NO_CARD else ()
    twin.stock = (*(pool.pop() for _ in covered), *tail)
    twin.discard = _taken(pool, size_of(position.discard))
    twin.removed = _taken(pool, size_of(position.removed))
    for holder, cards in enumerate(secret):
        twin.hands[holder] = (position.hands[holder] & ~cards) | _taken(pool, size_of(cards))
    return twin


def _taken(pool: list[int], number: int) -> Mask:
    cards = 0
    for _ in range(number):
        cards |= BIT[pool.pop()]
    return cards
