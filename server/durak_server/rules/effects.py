"""What each event does to a position, in place and without judging whether it is legal.

Playing a move and folding the log run the same functions, so they cannot differ.
"""

from collections.abc import Mapping
from typing import Final

from durak_server.rules.cards import BIT, NO_CARD, Card, Mask, size_of
from durak_server.rules.events import BoutOutcome, DealEnded
from durak_server.rules.law import SAME_RANK, SEAT_BITS
from durak_server.rules.position import Position

_TAKEN: Final = BoutOutcome.TAKEN
_BEATEN: Final = BoutOutcome.BEATEN


def start_bout(position: Position, leader: int, defender: int, limit: int) -> None:
    """Give the roles out anew."""
    position.leader = leader
    position.main_attacker = leader
    position.defender = defender
    position.limit = limit
    position.attackers = position.law.entitled[leader][defender][position.in_play]
    position.emptied = ()
    position.finishing = 0


def lead(position: Position, seat: int, cards: Mask) -> None:
    """Lay attack cards: the first ones of a bout, or more."""
    position.on_table |= cards
    position.uncovered |= cards
    rest = cards
    while rest:
        others = rest - 1
        card = size_of(rest ^ others) - 1
        rest &= others
        position.attacks[card] = seat
        position.ranks |= SAME_RANK[card]
    hand = position.hands[seat] ^ cards
    position.hands[seat] = hand
    if position.known[seat] & cards:
        position.known[seat] = position.known[seat] & hand
    position.moved |= SEAT_BITS[seat]
    if not hand:
        _hold_nothing(position, seat)
        position.finishing = cards
    # After the take no new rank can appear, so a pass given after it stands (rules.md, 4.10).
    if position.passed and not position.taking:
        _undo_passes(position)


def throw_in(position: Position, seat: int, cards: Mask) -> None:
    """Lay cards that may be taken back until they are covered."""
    position.thrown |= cards
    lead(position, seat, cards)


def transfer(position: Position, cards: Mask, defender: int, limit: int) -> None:
    """Lay cards as the defender and hand the defence on."""
    lead(position, position.defender, cards)
    _give_defence(position, position.defender, defender, limit)


def show(position: Position, card: Card, defender: int, limit: int) -> None:
    """Show a trump as the defender, keep it, and hand the defence on."""
    seat = position.defender
    position.shown |= BIT[card]
    position.known[seat] |= BIT[card]
    _undo_passes(position)
    position.moved |= SEAT_BITS[seat]
    _give_defence(position, seat, defender, limit)


def beat(position: Position, target: Card, card: Card) -> None:
    """Cover one attack card."""
    seat = position.defender
    bit = BIT[card]
    position.covers[target] = card
    position.on_table |= bit
    position.uncovered ^= BIT[target]
    position.ranks |= SAME_RANK[card]
    hand = position.hands[seat] ^ bit
    position.hands[seat] = hand
    if position.known[seat] & bit:
        position.known[seat] = position.known[seat] & hand
    position.moved |= SEAT_BITS[seat]
    if not hand:
        _hold_nothing(position, seat)
    if position.passed:
        _undo_passes(position)


def take(position: Position) -> None:
    """Let the defender give up; passes given before do not count after it."""
    position.taking = True
    position.passed = 0
    position.moved |= SEAT_BITS[position.defender]


def pass_turn(position: Position, seat: int) -> None:
    """Let an attacker pass."""
    bit = SEAT_BITS[seat]
    position.passed |= bit
    position.moved |= bit


def retract(position: Position, seat: int, card: Card) -> None:
    """Give a card that lies uncovered back to its owner."""
    del position.attacks[card]
    kept = ~BIT[card]
    position.on_table &= kept
    position.uncovered &= kept
    position.thrown &= kept
    position.retracted |= BIT[card]
    _return_to_hand(position, seat, BIT[card])
    _undo_passes(position)
    position.moved |= SEAT_BITS[seat]


def dump(position: Position, seat: int, cards: Mask) -> None:
    """Lay cards aside for the discard; for the attacker it is a pass as well."""
    if not _leave_hand(position, seat, cards):
        position.finishing = 0
    position.dumps = (*position.dumps, (seat, cards))
    position.passed |= SEAT_BITS[seat]


def reveal_hand(position: Position, seat: int) -> None:
    """Show a whole hand to everybody."""
    position.known[seat] = position.hands[seat]


def end_bout(position: Position, outcome: BoutOutcome, returned: Mapping[int, Mask]) -> None:
    """Clear the table: returned cards to their owners, the rest where the outcome sends it."""
    rest = position.on_table
    if position.dumps:
        for _, cards in position.dumps:
            rest |= cards
    if returned:
        for seat, cards in returned.items():
            rest &= ~cards
            _return_to_hand(position, seat, cards)
    if outcome is _TAKEN:
        _join_hand(position, position.defender, rest)
        position.bouts += 1
        position.barren += 1
    elif outcome is _BEATEN:
        position.discard |= rest
        position.bouts += 1
        position.barren = 0
    position.clear_table()


def draw(position: Position, seat: int, drawn: tuple[Card, ...]) -> None:
    """Move cards to a hand: the next ones of the stock."""
    cards: Mask = 0
    for card in drawn:
        cards |= BIT[card]
    position.stock = position.stock[len(drawn) :]
    position.hands[seat] = position.hands[seat] | cards
    position.holding |= SEAT_BITS[seat]
    position.barren = 0
    if not position.stock and position.trump_card != NO_CARD:
        position.known[seat] |= cards & BIT[position.trump_card]


def go_out(position: Position, seat: int, place: int) -> None:
    """Take a seat out of play at a place, 1 for the first, perhaps shared with the one before."""
    if place > sum([len(seats) for seats in position.out]):
        position.out = (*position.out, (seat,))
    else:
        position.out = (*position.out[:-1], (*position.out[-1], seat))
    position.in_play &= ~SEAT_BITS[seat]
    position.barren = 0


def leave(position: Position, seat: int) -> None:
    """Take a seat and its hand out of play for good."""
    position.removed |= position.hands[seat]
    position.hands[seat] = 0
    position.known[seat] = 0
    position.holding &= ~SEAT_BITS[seat]
    position.in_play &= ~SEAT_BITS[seat]
    position.forfeited = (*position.forfeited, seat)
    position.barren = 0


def end_deal(position: Position, result: DealEnded) -> None:
    """Close the deal."""
    position.result = result
    position.attackers = 0


def _give_defence(position: Position, main_attacker: int, defender: int, limit: int) -> None:
    position.main_attacker = main_attacker
    position.defender = defender
    position.limit = limit
    position.attackers = position.law.entitled[main_attacker][defender][position.in_play]


# `lead` and `beat`, which lay cards all the time, have this written out: a call costs more.
def _leave_hand(position: Position, seat: int, cards: Mask) -> Mask:
    """Take cards out of the hand they are in; return what is left in it."""
    hand = position.hands[seat] ^ cards
    position.hands[seat] = hand
    if position.known[seat] & cards:
        position.known[seat] = position.known[seat] & hand
    position.moved |= SEAT_BITS[seat]
    if not hand:
        _hold_nothing(position, seat)
    return hand


def _hold_nothing(position: Position, seat: int) -> None:
    position.holding ^= SEAT_BITS[seat]
    position.emptied = (*position.emptied, seat)


def _join_hand(position: Position, seat: int, cards: Mask) -> None:
    position.hands[seat] = position.hands[seat] | cards
    position.known[seat] = position.known[seat] | cards
    position.holding |= SEAT_BITS[seat]


def _return_to_hand(position: Position, seat: int, cards: Mask) -> None:
    _join_hand(position, seat, cards)
    if seat in position.emptied:
        position.emptied = tuple([other for other in position.emptied if other != seat])


def _undo_passes(position: Position) -> None:
    """Ask everyone again. Who passed by dumping has his cards back (rules.md, 4.9)."""
    position.passed = 0
    for seat, cards in position.dumps:
        _return_to_hand(position, seat, cards)
    position.dumps = ()
