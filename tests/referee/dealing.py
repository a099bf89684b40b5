"""From a shuffled deck to the first lead (rules.md, section 2)."""

from tests.referee.bout import open_bout
from tests.referee.cards import JOKERS, Options, height_of, suit_of
from tests.referee.position import Position


def deal_out(
    options: Options, order: list[str], dealer: int, leader: int | None, present: list[int]
) -> Position:
    """Deal `order` to the seats present; without a `leader` the lowest trump leads."""
    hands, rest = hands_from(options, order, dealer, present)
    trump, stock = trump_and_stock(options, order[6 * len(present) - 1], rest)
    deal = Position(options, trump, dealer, stock, hands, in_play=sorted(present))
    if leader is None:
        leader = lowest_leads(hands, trump, dealer)
    open_bout(deal, leader)
    return deal


def hands_from(
    options: Options, order: list[str], dealer: int, present: list[int]
) -> tuple[list[list[str]], list[str]]:
    seats, step = int(options["seats"]), int(options["deal_step"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    rest = list(order)
    for _ in range(6 // step):
        for place in range(dealer + 1, dealer + 1 + seats):
            seat = place % seats
            for _ in range(step if seat in present else 0):
                hands[seat].append(rest.pop(0))
    return hands, rest


def trump_and_stock(options: Options, last_dealt: str, rest: list[str]) -> tuple[str, list[str]]:
    if options["trump"] == "DIAMONDS":
        return "D", rest
    if not rest:
        return suit_of(last_dealt), []
    jokers = []
    while rest[0] in JOKERS:
        jokers.append(rest.pop(0))
    turned = rest.pop(0)
    middle = len(rest) // 2
    return suit_of(turned), [*rest[:middle], *jokers, *rest[middle:], turned]


def lowest_leads(hands: list[list[str]], trump: str, dealer: int) -> int:
    best_seat, best_height = -1, 99
    for only_trumps in (True, False):
        for step in range(1, len(hands) + 1):
            seat = (dealer + step) % len(hands)
            for card in hands[seat]:
                if only_trumps and suit_of(card) != trump:
                    continue
                if height_of(card) < best_height:
                    best_seat, best_height = seat, height_of(card)
        if best_seat >= 0:
            return best_seat
    return best_seat
