"""How many attack cards a bout may take (rules.md, 4.5 to 4.7)."""

from tests.referee.position import Position

NO_CAP = 99


def cap(deal: Position) -> int:
    if deal.options["first_bout_cap"] == "FIRST_BOUT" and deal.bouts == 0:
        return 5
    if deal.options["first_bout_cap"] == "UNTIL_FIRST_DISCARD" and not deal.discard:
        return 5
    return 6 if deal.options["attack_cap"] == "SIX" else NO_CAP


def limit_of(deal: Position, defender: int) -> int:
    """Return the limit for one who becomes the defender now."""
    if deal.options["overthrow"] == "RETURN_EXCESS" and not deal.stock:
        return cap(deal)
    return min(cap(deal), len(deal.hand(defender)))


def room(deal: Position) -> int:
    """Return how many more attack cards fit."""
    return max(0, deal.limit - len(deal.table))


def room_to_dump(deal: Position) -> int:
    """Return how many more cards may be laid aside: those laid aside count (rules.md, 4.9)."""
    return max(0, room(deal) - sum(len(cards) for cards in deal.dumped))
