"""What follows a move by itself: the end of the bout, the draw, who is out, the next bout.

The order of these steps is part of the rules (rules.md, 7.1): taken cards move first, then
everyone draws, then players go out, then the roles change.
"""

from collections.abc import Mapping
from typing import Final

from durak_server.rules import effects
from durak_server.rules.cards import BIT, Mask, cards_of, size_of
from durak_server.rules.events import BoutEnded, BoutOutcome, BoutStarted, Dumped, Record
from durak_server.rules.law import SEAT_BITS
from durak_server.rules.outcome import finish_if_decided, let_out
from durak_server.rules.position import Position
from durak_server.rules.ranks import lowest_first
from durak_server.rules.refill import refill
from durak_server.rules.seating import NOBODY, limit_against

_TAKEN: Final = BoutOutcome.TAKEN
_BEATEN: Final = BoutOutcome.BEATEN
_NOTHING: Final[Mapping[int, Mask]] = {}


def settle(position: Position, record: Record) -> int:
    """Carry out what the last move has decided; return the `first_to_act` after it, or NOBODY.

    Whether the bout has ended (rules.md, 6.4 to 6.6) depends on public facts alone: what an
    attacker holds must not decide it. The deal must not be over.
    """
    defender = position.defender
    if position.taking:
        is_open = position.law.throw_after_take
    else:
        is_open = position.holding & SEAT_BITS[defender] != 0
        if is_open and position.uncovered:
            return defender
    if is_open:
        undecided = position.attackers & position.holding & ~position.passed
        if undecided and len(position.attacks) < position.limit:
            return position.law.first_seat[position.main_attacker][undecided]
    outcome = _TAKEN if position.taking else _BEATEN
    _end_bout(position, outcome, record)
    if (not position.stock or position.barren) and finish_if_decided(position, record):
        return NOBODY
    leader = defender
    if outcome is _TAKEN or not position.in_play & SEAT_BITS[defender]:
        leader = position.law.next_seat[defender][position.in_play]
    start_bout(position, leader, record)
    return leader


def start_bout(position: Position, leader: int, record: Record) -> None:
    """Open the next bout."""
    law = position.law
    defender = law.next_rival[leader][position.in_play]
    limit = limit_against(position, defender)
    effects.start_bout(position, leader, defender, limit)
    if record is not None:
        record.append(BoutStarted(leader, defender, limit))


def _end_bout(position: Position, outcome: BoutOutcome, record: Record) -> None:
    returned = _NOTHING
    if outcome is _BEATEN:
        if position.law.dump_must and position.hands[position.defender]:
            _dump_for_all(position, record)
        if position.uncovered:
            returned = _uncovered_by_owner(position)
    effects.end_bout(position, outcome, returned)
    if record is not None:
        listed = tuple((seat, cards_of(cards)) for seat, cards in sorted(returned.items()))
        record.append(BoutEnded(outcome, listed))
    if position.stock:
        refill(position, record)
    if not position.stock:
        let_out(position, record)


def _uncovered_by_owner(position: Position) -> Mapping[int, Mask]:
    owned: dict[int, Mask] = {}
    for card, seat in position.attacks.items():
        if position.uncovered & BIT[card]:
            owned[seat] = owned.get(seat, 0) | BIT[card]
    return owned


def _dump_for_all(position: Position, record: Record) -> None:
    """Dump what each attacker could still have thrown in, lowest ranks first (rules.md, 4.9)."""
    main = position.main_attacker
    room = position.limit - len(position.attacks)
    for seat in (main, *position.law.clockwise[main][:-1]):
        fitting = position.hands[seat] & position.ranks
        if room > 0 and fitting and position.attackers & SEAT_BITS[seat]:
            chosen = lowest_first(position, fitting, room)
            room -= size_of(chosen)
            effects.dump(position, seat, chosen)
            if record is not None:
                record.append(Dumped(seat, cards_of(chosen)))
