"""Every single move that a seat may make now (rules.md, 6.1)."""

from itertools import combinations
from typing import NamedTuple

from tests.referee.attackers import with_turn
from tests.referee.cards import beats, colour_of, rank_of, suit_of
from tests.referee.circle import opponents_from_left
from tests.referee.limits import cap, room
from tests.referee.position import Position


class Move(NamedTuple):
    """One of: attack, throw_in, beat, transfer, show, take, pass, retract, dump, claim."""

    kind: str
    cards: frozenset[str] = frozenset()
    target: str | None = None


def legal_moves(deal: Position, seat: int) -> set[Move]:
    if deal.result is not None or seat not in deal.in_play:
        return set()
    moves = claims(deal, seat)
    if not deal.table:
        return moves | (leads(deal) if seat == deal.leader else set())
    if seat == deal.defender and deal.uncovered() and not deal.taking:
        moves |= {Move("take")} | covers(deal) | transfers(deal) | shows(deal)
    if seat in with_turn(deal):
        moves |= {Move("pass")} | throw_ins(deal, seat) | dumps(deal, seat)
    return moves | retracts(deal, seat)


def some_of(kind: str, cards: list[str], at_most: int) -> set[Move]:
    """Return a move for each choice of one to `at_most` of the cards."""
    sizes = range(1, min(at_most, len(cards)) + 1)
    return {Move(kind, frozenset(c)) for size in sizes for c in combinations(cards, size)}


def leads(deal: Position) -> set[Move]:
    hand = deal.hand(deal.leader)
    at_most = deal.limit if deal.options["lead_many"] else min(1, deal.limit)
    moves = set()
    for rank in {rank_of(card) for card in hand}:
        moves |= some_of("attack", [card for card in hand if rank_of(card) == rank], at_most)
    return moves


def fitting(deal: Position, seat: int) -> list[str]:
    """Return the cards in hand whose rank lies in this bout."""
    ranks = {rank_of(laid.card) for laid in deal.table}
    ranks |= {rank_of(laid.cover) for laid in deal.table if laid.cover is not None}
    return [card for card in deal.hand(seat) if rank_of(card) in ranks]


def throw_ins(deal: Position, seat: int) -> set[Move]:
    at_most = room(deal) if deal.options["throw_in_many"] else min(1, room(deal))
    return some_of("throw_in", fitting(deal, seat), at_most)


def dumps(deal: Position, seat: int) -> set[Move]:
    if deal.options["dump"] != "MAY" or not deal.all_covered():
        return set()
    return some_of("dump", fitting(deal, seat), room(deal))


def covers(deal: Position) -> set[Move]:
    return {
        Move("beat", frozenset([card]), laid.card)
        for laid in deal.uncovered()
        for card in deal.hand(deal.defender)
        if beats(card, laid.card, deal.trump, deal.options)
    }


def transfer_target(deal: Position) -> int | None:
    """Return who would defend after a transfer, if the attack can be passed on at all."""
    if not deal.options["transfer"] or any(laid.cover for laid in deal.table):
        return None
    if deal.bouts == 0 and not deal.options["transfer_first_bout"]:
        return None
    for seat in opponents_from_left(deal, deal.defender):
        if deal.hand(seat):
            return seat
    return None


def transfers(deal: Position) -> set[Move]:
    target = transfer_target(deal)
    if target is None:
        return set()
    at_most = cap(deal) - len(deal.table)
    if deal.options["transfer_hand_check"] == "REQUIRE":
        at_most = min(at_most, len(deal.hand(target)) - len(deal.table))
    if not deal.options["transfer_many"]:
        at_most = min(at_most, 1)
    led = rank_of(deal.table[0].card)
    return some_of("transfer", [c for c in deal.hand(deal.defender) if rank_of(c) == led], at_most)


def shows(deal: Position) -> set[Move]:
    target = transfer_target(deal)
    if target is None or not deal.options["transfer_show"]:
        return set()
    required = deal.options["transfer_hand_check"] == "REQUIRE"
    if required and len(deal.hand(target)) < len(deal.table):
        return set()
    led = rank_of(deal.table[0].card)
    return {
        Move("show", frozenset([card]))
        for card in deal.hand(deal.defender)
        if rank_of(card) == led and suit_of(card) == deal.trump and card not in deal.shown
    }


def retracts(deal: Position, seat: int) -> set[Move]:
    if not deal.options["retract"] or deal.taking:
        return set()
    return {
        Move("retract", frozenset([laid.card]))
        for laid in deal.uncovered()
        if laid.by == seat and laid.thrown_in and laid.card not in deal.taken_back
    }


def claims(deal: Position, seat: int) -> set[Move]:
    hand = deal.hand(seat)
    if deal.bouts > 0 or seat in deal.moved or len(hand) != 6:
        return set()
    right = deal.options["redeal_right"]
    one_colour = right == "SIX_SAME_COLOUR" and len({colour_of(card) for card in hand}) == 1
    suits = {suit_of(card) for card in hand}
    one_suit = right == "SIX_SAME_SUIT" and len(suits) == 1 and "none" not in suits
    return {Move("claim")} if one_colour or one_suit else set()
