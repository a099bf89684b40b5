"""Making a move, and leaving (rules.md, sections 3 to 5 and 8.7)."""

from tests.referee.bout import end_bout_if_done, open_bout
from tests.referee.circle import clockwise
from tests.referee.ending import finish, side_of
from tests.referee.limits import limit_of
from tests.referee.moves import Move, is_legal, transfer_target
from tests.referee.position import Laid, Position, Result


class Refused(Exception):
    """The rules do not allow this move now."""


def make_move(deal: Position, seat: int, move: Move) -> None:
    """Make a move and all that follows from it.

    Raises:
        Refused: it is not among the legal moves; nothing has changed.
    """
    if not is_legal(deal, seat, move):
        raise Refused
    deal.moved.add(seat)
    if move.kind == "claim":
        deal.result = Result("REDEAL", set(), [])
        return
    if move.kind in ("attack", "throw_in"):
        attack(deal, seat, move)
    elif move.kind in ("transfer", "show"):
        transfer(deal, seat, move)
    elif move.kind == "beat":
        cover(deal, seat, move)
    elif move.kind == "take":
        deal.taking, deal.passed = True, set()
    elif move.kind == "retract":
        retract(deal, seat, move)
    else:
        dump(deal, seat, move)
    end_bout_if_done(deal)


def take_from_hand(deal: Position, seat: int, cards: frozenset[str]) -> None:
    for card in cards:
        deal.hand(seat).remove(card)
    if not deal.hand(seat) and seat not in deal.emptied:
        deal.emptied.append(seat)


def put_in_hand(deal: Position, seat: int, cards: list[str]) -> None:
    deal.hands[seat] += cards
    if deal.hand(seat) and seat in deal.emptied:
        deal.emptied.remove(seat)


def attack(deal: Position, seat: int, move: Move) -> None:
    for owner, cards in enumerate(deal.dumped):
        put_in_hand(deal, owner, cards)
        deal.dumped[owner] = []
    take_from_hand(deal, seat, move.cards)
    deal.table += [Laid(card, seat, move.kind == "throw_in") for card in sorted(move.cards)]
    deal.last_attacks[seat] = sorted(move.cards)
    if not deal.taking:
        deal.passed = set()


def transfer(deal: Position, seat: int, move: Move) -> None:
    target = transfer_target(deal)
    assert target is not None
    if move.kind == "show":
        deal.shown |= move.cards
    else:
        take_from_hand(deal, seat, move.cards)
        deal.table += [Laid(card, seat, False) for card in sorted(move.cards)]
        deal.last_attacks[seat] = sorted(move.cards)
    deal.main_attacker, deal.defender = seat, target
    deal.limit = limit_of(deal, target)
    deal.passed = set()


def cover(deal: Position, seat: int, move: Move) -> None:
    take_from_hand(deal, seat, move.cards)
    for laid in deal.table:
        if laid.card == move.target:
            (laid.cover,) = move.cards
    deal.last_attacks.pop(seat, None)
    deal.passed = set()


def retract(deal: Position, seat: int, move: Move) -> None:
    deal.table = [laid for laid in deal.table if laid.card not in move.cards]
    deal.taken_back |= move.cards
    put_in_hand(deal, seat, list(move.cards))
    deal.passed = set()


def dump(deal: Position, seat: int, move: Move) -> None:
    """Pass, laying the cards of the move, if any, aside."""
    take_from_hand(deal, seat, move.cards)
    deal.dumped[seat] += sorted(move.cards)
    if move.cards:
        deal.last_attacks.pop(seat, None)
    deal.passed.add(seat)


def leave(deal: Position, seat: int) -> None:
    """Give the deal up: the bout is void, the leaver's hand out of play."""
    for laid in deal.table:
        deal.hand(laid.by).append(laid.card)
        if laid.cover is not None:
            deal.hand(deal.defender).append(laid.cover)
    for owner, cards in enumerate(deal.dumped):
        deal.hand(owner).extend(cards)
    deal.out_of_play += deal.hand(seat)
    deal.hands[seat] = []
    deal.in_play.remove(seat)
    deal.left.append(seat)
    deal.idle_bouts = 0
    if deal.options["teams"] == "ALTERNATE":
        finish(deal, "FORFEIT", side_of(deal, seat))
    elif len(deal.in_play) == 1:
        finish(deal, "FORFEIT", set())
    else:
        open_bout(deal, clockwise(deal, deal.leader)[0])
