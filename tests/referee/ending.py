"""Who goes out, who is the fool, who came where (rules.md, section 8 and 9.3)."""

from tests.referee.cards import rank_of
from tests.referee.circle import same_side
from tests.referee.position import Position, Result

LONGEST_IDLE_RUN = 60


def retire(deal: Position) -> bool:
    """Let those without cards go out once the stock is empty; tell whether anybody did."""
    if deal.stock:
        return False
    gone = [seat for seat in deal.emptied if not deal.hand(seat)]
    if gone:
        deal.out.append(gone)
    deal.in_play = [seat for seat in deal.in_play if seat not in gone]
    return bool(gone)


def end_if_over(deal: Position) -> None:
    if deal.options["teams"] == "ALTERNATE":
        end_for_teams(deal)
    elif len(deal.in_play) == 1:
        finish(deal, "FOOL", set(deal.in_play))
    elif not deal.in_play:
        if deal.options["endgame"] == "DRAW":
            finish(deal, "DRAW", set())
        else:
            finish(deal, "FOOL", {deal.out[-1][-1]})
    if deal.result is None and deal.idle_bouts >= LONGEST_IDLE_RUN:
        finish(deal, "BOUND", set())


def end_for_teams(deal: Position) -> None:
    playing = {seat % 2 for seat in deal.in_play}
    if not playing:
        last = deal.out[-1][-1]
        if deal.options["endgame"] == "DRAW":
            finish(deal, "DRAW", set())
        else:
            finish(deal, "TEAM", side_of(deal, last))
    elif len(playing) == 1:
        finish(deal, "TEAM", side_of(deal, deal.in_play[0]))


def side_of(deal: Position, seat: int) -> set[int]:
    return {other for other in range(len(deal.hands)) if same_side(deal, seat, other)}


def finish(deal: Position, reason: str, fools: set[int]) -> None:
    """End the deal; those who left are fools as well."""
    everybody = set(range(len(deal.hands)))
    all_fools = fools | set(deal.left)
    places: list[set[int]] = []
    if deal.options["places"] == "FOOL_ONLY":
        pass
    elif deal.options["teams"] == "ALTERNATE":
        places = [everybody - all_fools, all_fools]
    else:
        places = ranked(deal, fools)
    sixes = epaulettes(deal, fools) if reason in ("FOOL", "TEAM") else 0
    deal.result = Result(reason, all_fools, [group for group in places if group], sixes)


def ranked(deal: Position, fools: set[int]) -> list[set[int]]:
    places = []
    for group in deal.out:
        survivors = [seat for seat in group if seat not in fools]
        if deal.options["simultaneous_places"] == "SHARED":
            places.append(set(survivors))
        else:
            places += [{seat} for seat in survivors]
    places.append({seat for seat in deal.in_play if seat not in fools})
    places.append(fools)
    return places + [{seat} for seat in reversed(deal.left)]


def epaulettes(deal: Position, fools: set[int]) -> int:
    winners = [seat for group in deal.out for seat in group if seat not in fools]
    if not deal.options["epaulettes"] or deal.defender not in fools or not winners:
        return 0
    return sum(rank_of(card) == "6" for card in deal.last_attacks.get(winners[-1], []))
