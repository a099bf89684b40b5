"""How a bout opens and ends, and what lies between two bouts (rules.md, 6.4, 6.5, section 7)."""

from tests.referee.attackers import attackers, undecided
from tests.referee.cards import height_of, place_of, suit_of
from tests.referee.circle import clockwise, left_of, opponents_from_left
from tests.referee.drawing import draw
from tests.referee.ending import end_if_over, retire
from tests.referee.limits import limit_of, room, room_to_dump
from tests.referee.moves import fitting
from tests.referee.position import Position


def open_bout(deal: Position, leader: int) -> None:
    deal.leader = deal.main_attacker = leader
    deal.defender = opponents_from_left(deal, leader)[0]
    deal.limit = limit_of(deal, deal.defender)
    deal.table = []
    deal.dumped = [[] for _ in deal.hands]
    deal.taking = False
    deal.passed, deal.taken_back, deal.shown = set(), set(), set()
    deal.emptied, deal.last_attacks = [], {}


def end_bout_if_done(deal: Position) -> None:
    if not deal.hand(deal.defender):
        end_beaten(deal)
    elif deal.taking:
        if not deal.options["throw_in_after_take"] or nothing_more(deal):
            end_taken(deal)
    elif deal.all_covered() and nothing_more(deal):
        dump_by_duty(deal)
        end_beaten(deal)


def nothing_more(deal: Position) -> bool:
    return room(deal) == 0 or not undecided(deal)


def dump_by_duty(deal: Position) -> None:
    if deal.options["dump"] != "MUST":
        return
    for seat in attackers(deal):
        cards = fitting(deal, seat)
        cards.sort(key=lambda card: (suit_of(card) == deal.trump, height_of(card), place_of(card)))
        for card in cards[: room_to_dump(deal)]:
            deal.hand(seat).remove(card)
            deal.dumped[seat].append(card)
            deal.last_attacks.pop(seat, None)
            if not deal.hand(seat):
                deal.emptied.append(seat)


def end_beaten(deal: Position) -> None:
    discarded = len(deal.discard)
    for laid in deal.table:
        if laid.cover is None:
            deal.hand(laid.by).append(laid.card)
        else:
            deal.discard += [laid.card, laid.cover]
    for cards in deal.dumped:
        deal.discard += cards
    deal.emptied = [seat for seat in deal.emptied if not deal.hand(seat)]
    after_bout(deal, taken=False, progress=len(deal.discard) > discarded)


def end_taken(deal: Position) -> None:
    for laid in deal.table:
        deal.hand(deal.defender).append(laid.card)
        if laid.cover is not None:
            deal.hand(deal.defender).append(laid.cover)
    after_bout(deal, taken=True, progress=False)


def after_bout(deal: Position, taken: bool, progress: bool) -> None:
    drew = draw(deal)
    went_out = retire(deal)
    deal.bouts += 1
    deal.idle_bouts = 0 if progress or drew or went_out else deal.idle_bouts + 1
    end_if_over(deal)
    if deal.result is None:
        first = left_of(deal, deal.defender) if taken else clockwise(deal, deal.defender)[0]
        open_bout(deal, first)
