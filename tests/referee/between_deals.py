"""Who deals and who leads after a deal (rules.md, 2.8 and 2.9)."""

from tests.referee.cards import Options
from tests.referee.position import Result


def next_leader(options: Options, result: Result, gone: set[int]) -> int | None:
    """Return who leads, None for the lowest trump; `gone` are no longer at the table."""
    seats = int(options["seats"])
    fool = only_fool(result, gone)
    if fool is None or options["next_leader"] == "LOWEST_TRUMP":
        return None
    if options["next_leader"] == "FOOL":
        return fool
    seat, step = fool, 1 if options["next_leader"] == "LEFT_OF_FOOL" else -1
    while True:
        seat = (seat + step) % seats
        if seat not in gone:
            return seat


def next_dealer(options: Options, result: Result, dealer: int, gone: set[int]) -> int:
    fool = only_fool(result, gone)
    if fool is not None:
        return fool
    seat = (dealer + 1) % int(options["seats"])
    while seat in gone:
        seat = (seat + 1) % int(options["seats"])
    return seat


def only_fool(result: Result, gone: set[int]) -> int | None:
    staying = sorted(result.fools - gone)
    return staying[0] if len(staying) == 1 else None
