"""Who may throw in, whose turn it is, whom the deal waits for (rules.md, 4.1, 4.3, 6.2)."""

from tests.referee.circle import clockwise, left_of, same_side
from tests.referee.limits import room
from tests.referee.position import Position


def attackers(deal: Position) -> list[int]:
    """Return the seats that may throw in on this defender, the main attacker first."""
    seats = [
        seat
        for seat in clockwise(deal, deal.main_attacker)
        if not same_side(deal, seat, deal.defender)
    ]
    if deal.options["throw_in"] == "NONE":
        return []
    if deal.options["throw_in"] == "NEIGHBOURS":
        neighbours = (deal.main_attacker, left_of(deal, deal.defender))
        return [seat for seat in seats if seat in neighbours]
    return seats


def undecided(deal: Position) -> list[int]:
    """Return the attackers who hold cards and have not passed."""
    return [s for s in attackers(deal) if deal.hand(s) and s not in deal.passed]


def with_turn(deal: Position) -> list[int]:
    """Return the attackers who may act now."""
    if not deal.table:
        return []
    after_covered = deal.options["throw_in_timing"] == "AFTER_COVERED"
    if after_covered and deal.uncovered() and not deal.taking:
        return []
    waiting = undecided(deal)
    priority = deal.options["throw_in_priority"]
    if priority == "LEADER_FIRST":
        return waiting[:1]
    if priority == "LEADER_THEN_FREE" and deal.main_attacker in waiting:
        return [deal.main_attacker]
    return waiting


def waited_for(deal: Position) -> set[int]:
    """Return the seats the deal waits for."""
    if deal.result is not None:
        return set()
    if not deal.table:
        return {deal.leader}
    seats = set()
    if deal.uncovered() and not deal.taking:
        seats.add(deal.defender)
    if room(deal) > 0:
        seats.update(with_turn(deal))
    return seats
