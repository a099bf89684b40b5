"""Dealing, and who leads and deals (rules.md, 2)."""

from collections.abc import Collection, Sequence

from durak_server.rules.cards import BIT, DIAMONDS, RED_JOKER, Card, Mask, rank_of, suit_of
from durak_server.rules.events import DealEnded, DealStarted, Event, Record
from durak_server.rules.law import HAND_SIZE, SEAT_BITS, Law, law_of
from durak_server.rules.options import NextLeader, RuleSet
from durak_server.rules.position import Position
from durak_server.rules.seating import seats_of
from durak_server.rules.settle import start_bout


def start_deal(
    rules: RuleSet,
    order: Sequence[Card],
    dealer: int,
    leader: int | None = None,
    seats: Collection[int] = (),
) -> tuple[Position, tuple[Event, ...]]:
    """Deal a shuffled deck and open the first bout.

    `order` is the whole deck, first card dealt first. Without a `leader` the holder of the lowest
    trump leads (rules.md, 2.7). Only `seats` get cards and play; all if none is named.

    Raises:
        ValueError: the order is not the deck of the rule set, the dealer or the leader gets no
            cards, or those who do are too few, or not all of two teams.
    """
    law = law_of(rules)
    if sorted(order) != list(law.deck):
        raise ValueError("the order is not a permutation of the deck")
    dealt_in = seats_dealt_in(law, seats)
    playing = seats_of(dealt_in)
    if dealer not in playing or not (leader is None or leader in playing):
        raise ValueError("no such seat")
    if len(playing) < 2 or (law.teams and dealt_in != law.everyone):
        raise ValueError("too few seats")
    events: list[Event] = []
    position = open_deal(law, list(order), dealer, leader, dealt_in, events)
    return position, tuple(events)


def seats_dealt_in(law: Law, seats: Collection[int]) -> int:
    """Return the set of seats that `DealStarted.seats` means.

    Raises:
        ValueError: there is no such seat.
    """
    if not seats:
        return law.everyone
    if not all(0 <= seat < law.seats for seat in seats):
        raise ValueError("no such seat")
    return sum({SEAT_BITS[seat] for seat in seats})


def open_deal(
    law: Law, order: list[Card], dealer: int, leader: int | None, seats: int, record: Record
) -> Position:
    """Do what `start_deal` does, unchecked and with events only if a record is given."""
    position = deal_cards(law, order, dealer, leader, seats)
    if record is not None:
        listed = () if seats == law.everyone else seats_of(seats)
        record.append(DealStarted(tuple(order), dealer, position.leader, listed))
    start_bout(position, position.leader, record)
    return position


def deal_cards(
    law: Law, order: list[Card], dealer: int, leader: int | None, seats: int
) -> Position:
    """Return the position after the deal, before the first bout (rules.md, 2.2 to 2.5)."""
    around = law.clockwise[dealer]
    served = around
    if seats != law.everyone:
        served = tuple([seat for seat in around if seats & SEAT_BITS[seat]])
    dealt = HAND_SIZE * len(served)
    position = Position(law, dealer)
    for place, seat in enumerate(served):
        position.hands[seat] = _hand_at(order, place, len(served), law.deal_step)
    position.in_play = position.holding = seats
    _turn_up_trump(position, order, dealt)
    position.leader = lowest_trump_holder(position) if leader is None else leader
    return position


def _hand_at(order: list[Card], place: int, places: int, step: int) -> Mask:
    """Return the hand of who is served at a place, `step` cards at a time."""
    hand: Mask = 0
    for first in range(place * step, place * step + step):
        for card in order[first : HAND_SIZE * places : step * places]:
            hand |= BIT[card]
    return hand


def _turn_up_trump(position: Position, order: list[Card], dealt: int) -> None:
    """Settle the trump and the stock under it (rules.md, 2.3 to 2.5)."""
    stock = tuple(order[dealt:])
    if position.law.trump_is_diamonds:
        position.trump = DIAMONDS
    elif stock:
        stock = _with_trump_last(stock)
        position.trump_card = stock[-1]
        position.trump = suit_of(position.trump_card)
    else:
        position.trump_card = order[-1]
        position.trump = suit_of(position.trump_card)
        position.known[position.dealer] = BIT[position.trump_card]
    position.stock = stock


def _with_trump_last(stock: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the stock with its first card under it, jokers before that one in the middle."""
    at = 0
    while stock[at] >= RED_JOKER:
        at += 1
    if not at:
        return (*stock[1:], stock[0])
    rest = stock[at + 1 :]
    middle = len(rest) // 2
    return (*rest[:middle], *stock[:at], *rest[middle:], stock[at])


def lowest_trump_holder(position: Position) -> int:
    """Return who leads the first deal (rules.md, 2.7).

    The holder of the lowest trump; if nobody has one, of the lowest card, the first of them
    clockwise from the dealer's left.
    """
    trumps = position.law.trumps[position.trump]
    around = position.law.clockwise[position.dealer]
    lowest: Mask = 0
    holder = -1
    for seat in around:
        held = position.hands[seat] & trumps
        low = held & -held
        if low and (holder < 0 or low < lowest):
            lowest = low
            holder = seat
    if holder >= 0:
        return holder
    seats = [seat for seat in around if position.holding & SEAT_BITS[seat]]
    return min(seats, key=lambda seat: _lowest_rank(position, seat))


def _lowest_rank(position: Position, seat: int) -> int:
    return min(rank_of(card) for card in position.law.deck if position.hands[seat] & BIT[card])


def next_leader(rules: RuleSet, ended: DealEnded, left: Collection[int] = ()) -> int | None:
    """Return who leads the deal after one that ended so; None for the holder of the lowest trump.

    `left` are the seats that are no longer at the table. Without exactly one fool who is still
    there, the lowest trump leads (rules.md, 2.8).
    """
    fool = _only_fool(ended, left)
    if fool is None or rules.next_leader is NextLeader.LOWEST_TRUMP:
        return None
    if rules.next_leader is NextLeader.FOOL:
        return fool
    step = 1 if rules.next_leader is NextLeader.LEFT_OF_FOOL else -1
    return _next_at_table(rules, fool, step, left)


def next_dealer(rules: RuleSet, ended: DealEnded, dealer: int, left: Collection[int] = ()) -> int:
    """Return who deals next: the fool, else the next clockwise after the dealer (rules.md, 2.9)."""
    fool = _only_fool(ended, left)
    return _next_at_table(rules, dealer, 1, left) if fool is None else fool


def _only_fool(ended: DealEnded, left: Collection[int]) -> int | None:
    staying = [seat for seat in ended.fools if seat not in left]
    return staying[0] if len(staying) == 1 else None


def _next_at_table(rules: RuleSet, seat: int, step: int, left: Collection[int]) -> int:
    for distance in range(1, rules.seats):
        other = (seat + step * distance) % rules.seats
        if other not in left:
            return other
    return seat
