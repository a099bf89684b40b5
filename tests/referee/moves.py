"""What a seat may do now (rules.md, 6.1)."""

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tests.referee.attackers import with_turn
from tests.referee.cards import beats, colour_of, rank_of, suit_of
from tests.referee.circle import opponents_from_left
from tests.referee.limits import cap, room, room_to_dump
from tests.referee.position import Position


class Move(NamedTuple):
    """One of: attack, throw_in, beat, transfer, show, take, pass, retract, dump, claim."""

    kind: str
    cards: frozenset[str] = frozenset()
    target: str | None = None


class Offer(NamedTuple):
    """The moves of one kind and target with one to `at_most` of the cards, or with none at all."""

    kind: str
    cards: frozenset[str] = frozenset()
    at_most: int = 0
    target: str | None = None


def offers(deal: Position, seat: int) -> list[Offer]:
    if deal.result is not None or seat not in deal.in_play:
        return []
    found = claims(deal, seat)
    if not deal.table:
        return found + (leads(deal) if seat == deal.leader else [])
    if seat == deal.defender:
        if deal.uncovered() and not deal.taking:
            found += [Offer("take"), *covers(deal), *transfers(deal), *shows(deal)]
    elif seat not in deal.passed and seat in with_turn(deal):
        found += [Offer("pass"), *throw_ins(deal, seat), *dumps(deal, seat)]
    return found + retracts(deal, seat)


def legal_moves(deal: Position, seat: int) -> set[Move]:
    """Return every single move; long hands of equal ranks may have thousands."""
    moves: set[Move] = set()
    for offer in offers(deal, seat):
        moves |= singles(offer)
    return moves


@lru_cache(maxsize=10_000)
def singles(offer: Offer) -> frozenset[Move]:
    """Return the moves that an offer stands for."""
    kind, cards, at_most, target = offer
    if not cards:
        return frozenset([Move(kind)])
    sizes = range(1, at_most + 1)
    chosen = (c for size in sizes for c in combinations(sorted(cards), size))
    return frozenset(Move(kind, frozenset(c), target) for c in chosen)


def is_legal(deal: Position, seat: int, move: Move) -> bool:
    for kind, cards, at_most, target in offers(deal, seat):
        if (kind, target) == (move.kind, move.target):
            if not cards and not move.cards:
                return True
            if move.cards <= cards and 1 <= len(move.cards) <= at_most:
                return True
    return False


def some_of(kind: str, cards: list[str], at_most: int) -> list[Offer]:
    most = min(at_most, len(cards))
    return [Offer(kind, frozenset(cards), most)] if most > 0 else []


def leads(deal: Position) -> list[Offer]:
    hand = deal.hand(deal.leader)
    at_most = deal.limit if deal.options["lead_many"] else min(1, deal.limit)
    found = []
    for rank in sorted({rank_of(card) for card in hand}):
        found += some_of("attack", [card for card in hand if rank_of(card) == rank], at_most)
    return found


def fitting(deal: Position, seat: int) -> list[str]:
    """Return the cards in hand whose rank lies in this bout."""
    ranks = {rank_of(laid.card) for laid in deal.table}
    ranks |= {rank_of(laid.cover) for laid in deal.table if laid.cover is not None}
    return [card for card in deal.hand(seat) if rank_of(card) in ranks]


def throw_ins(deal: Position, seat: int) -> list[Offer]:
    at_most = room(deal) if deal.options["throw_in_many"] else min(1, room(deal))
    return some_of("throw_in", fitting(deal, seat), at_most)


def dumps(deal: Position, seat: int) -> list[Offer]:
    if deal.options["dump"] != "MAY" or not deal.all_covered():
        return []
    return some_of("dump", fitting(deal, seat), room_to_dump(deal))


def covers(deal: Position) -> list[Offer]:
    hand = deal.hand(deal.defender)
    return [
        Offer("beat", frozenset([card]), 1, laid.card)
        for laid in deal.uncovered()
        for card in hand
        if beats(card, laid.card, deal.trump, deal.options)
    ]


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


def transfers(deal: Position) -> list[Offer]:
    target = transfer_target(deal)
    if target is None:
        return []
    at_most = cap(deal) - len(deal.table)
    if deal.options["transfer_hand_check"] == "REQUIRE":
        at_most = min(at_most, len(deal.hand(target)) - len(deal.table))
    if not deal.options["transfer_many"]:
        at_most = min(at_most, 1)
    led = rank_of(deal.table[0].card)
    return some_of("transfer", [c for c in deal.hand(deal.defender) if rank_of(c) == led], at_most)


def shows(deal: Position) -> list[Offer]:
    target = transfer_target(deal)
    if target is None or not deal.options["transfer_show"]:
        return []
    required = deal.options["transfer_hand_check"] == "REQUIRE"
    if required and len(deal.hand(target)) < len(deal.table):
        return []
    led = rank_of(deal.table[0].card)
    return [
        Offer("show", frozenset([card]), 1)
        for card in deal.hand(deal.defender)
        if rank_of(card) == led and suit_of(card) == deal.trump and card not in deal.shown
    ]


def retracts(deal: Position, seat: int) -> list[Offer]:
    if not deal.options["retract"] or deal.taking:
        return []
    return [
        Offer("retract", frozenset([laid.card]), 1)
        for laid in deal.uncovered()
        if laid.by == seat and laid.thrown_in and laid.card not in deal.taken_back
    ]


def claims(deal: Position, seat: int) -> list[Offer]:
    hand = deal.hand(seat)
    if deal.bouts > 0 or deal.left or seat in deal.moved or len(hand) != 6:
        return []
    right = deal.options["redeal_right"]
    one_colour = right == "SIX_SAME_COLOUR" and len({colour_of(card) for card in hand}) == 1
    suits = {suit_of(card) for card in hand}
    one_suit = right == "SIX_SAME_SUIT" and len(suits) == 1 and "none" not in suits
    return [Offer("claim")] if one_colour or one_suit else []
