"""How the players of the long comparison choose: by chance, or low cards first."""

from random import Random

from tests.referee.cards import height_of, suit_of
from tests.referee.moves import Move, Offer, offers
from tests.referee.position import Position

KINDS = [
    "attack",
    "throw_in",
    "beat",
    "transfer",
    "show",
    "take",
    "pass",
    "retract",
    "dump",
    "claim",
]


def by_chance(deal: Position, seat: int, random: Random) -> Move:
    """Choose a group by chance, then a number of its cards, then the cards.

    A new deal is claimed but rarely: it ends the deal at once.
    """
    found = offers(deal, seat)
    offer = random.choice(found)
    if offer.kind == "claim" and random.random() < 0.8:
        offer = random.choice(found)
    return one_of(offer, random)


def one_of(offer: Offer, random: Random) -> Move:
    if not offer.cards:
        return Move(offer.kind)
    number = random.randint(1, offer.at_most)
    return Move(offer.kind, frozenset(random.sample(sorted(offer.cards), number)), offer.target)


def lowest(deal: Position, seat: int, _random: Random) -> Move:
    """Cover, lead and throw in with the lowest plain card; no trump is thrown in."""

    def worth(card: str) -> tuple[bool, int, str]:
        return suit_of(card) == deal.trump, height_of(card), card

    laying = []
    for kind, cards, _, target in offers(deal, seat):
        if kind in ("attack", "beat", "transfer", "throw_in"):
            card = min(cards, key=worth)
            if kind != "throw_in" or suit_of(card) != deal.trump:
                laying.append((worth(card), kind, target or "", card))
    if laying:
        _, kind, target, card = min(laying)
        return Move(kind, frozenset([card]), target or None)
    return Move("take" if seat == deal.defender else "pass")


def wild(deal: Position, random: Random) -> tuple[int, Move]:
    """Return some seat and a move that looks like one, most often a forbidden one."""
    seat = random.randrange(len(deal.hands))
    kind = random.choice(KINDS)
    if kind in ("take", "pass", "claim"):
        return seat, Move(kind)
    laid = [laid.card for laid in deal.table]
    near = [*deal.hands[seat], *laid, *deal.stock[-1:]] or ["AS"]
    most = 1 if kind in ("beat", "show", "retract") else random.randint(1, 2)
    cards = random.sample(near, min(most, len(near)))
    target = random.choice(laid) if kind == "beat" and laid else None
    return seat, Move(kind, frozenset(cards), target)
