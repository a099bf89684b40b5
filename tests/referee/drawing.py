"""Who draws, in what order, how many (rules.md, 7.2 and 7.3)."""

from tests.referee.circle import clockwise
from tests.referee.position import Position


def draw(deal: Position) -> bool:
    """Fill the hands from the stock; tell whether anybody drew."""
    before = len(deal.stock)
    order = drawing_order(deal)
    lacking = sum(max(0, 6 - len(deal.hand(seat))) for seat in order)
    if deal.options["final_draw"] == "ROUND_ROBIN" and lacking > before:
        while deal.stock:
            for seat in order:
                draw_up_to(deal, seat, 1)
    else:
        for seat in order:
            draw_up_to(deal, seat, 6)
    return len(deal.stock) < before


def draw_up_to(deal: Position, seat: int, count: int) -> None:
    while count > 0 and deal.stock and len(deal.hand(seat)) < 6:
        deal.hand(seat).append(deal.stock.pop(0))
        count -= 1


def drawing_order(deal: Position) -> list[int]:
    if deal.options["draw_order"] == "MAIN_ATTACKER_CLOCKWISE":
        order = clockwise(deal, deal.main_attacker)
    elif deal.options["draw_order"] == "LEADER_LEFT_OF_DEFENDER":
        others = clockwise(deal, deal.defender)
        order = [deal.leader] + [seat for seat in others if seat != deal.leader]
    else:
        order = clockwise(deal, deal.leader)
    return [seat for seat in order if seat != deal.defender] + [deal.defender]
