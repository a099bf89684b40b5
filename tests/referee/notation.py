"""Reading a position from its line (rules.md, 13.2)."""

from tests.referee.limits import NO_CAP
from tests.referee.options import options_named
from tests.referee.position import Laid, Position


def position_from(line: str) -> Position:
    """Return the position of a deal that is not over."""
    rules, trump, roles, stock, hands, table, bout, traces, discard, gone, tally, _ = line.split()
    dealer, leader, main_attacker, defender = seats_from(roles)
    held = [cards_from(hand.split(":")[0]) for hand in hands.split("/")]
    deal = Position(options_named(rules), trump[0], dealer, cards_from(stock), held)
    deal.leader, deal.main_attacker, deal.defender = leader, main_attacker, defender
    deal.table = [laid_from(part) for part in table.split(",") if part != "-"]
    deal.discard, deal.out_of_play = cards_from(discard), cards_from(gone)
    read_bout(deal, bout)
    read_traces(deal, traces)
    read_tally(deal, tally)
    return deal


def cards_from(text: str) -> list[str]:
    cards = []
    rest = "" if text == "-" else text
    while rest:
        length = 3 if rest[:2] == "JK" and rest[2:3] in ("R", "B") else 2
        cards.append(rest[:length])
        rest = rest[length:]
    return cards


def seats_from(text: str) -> list[int]:
    return [] if text == "-" else [int(digit) for digit in text]


def laid_from(text: str) -> Laid:
    cards, by = text.split("@")
    card, cover = cards.split("/")
    return Laid(card, int(by[0]), by.endswith("?"), None if cover == "-" else cover)


def read_bout(deal: Position, text: str) -> None:
    limit, _, passed = text.partition("p")
    deal.taking = limit.endswith("t")
    number = int(limit.rstrip("t"))
    deal.limit = NO_CAP if number == 54 else number
    deal.passed = set(seats_from(passed))


def read_traces(deal: Position, text: str) -> None:
    taken_back, shown, emptied, finishing, dumped = text.split(";")
    deal.taken_back, deal.shown = set(cards_from(taken_back)), set(cards_from(shown))
    deal.emptied = seats_from(emptied)
    if finishing != "-":
        deal.last_attacks = {deal.emptied[-1]: cards_from(finishing)}
    deal.dumped = [[] for _ in deal.hands]
    for part in dumped.split(",") if dumped != "-" else []:
        seat, cards = part.split(":")
        deal.dumped[int(seat)] = cards_from(cards)


def read_tally(deal: Position, text: str) -> None:
    bouts, idle, in_play, moved, out, left = text.split(";")
    deal.bouts, deal.idle_bouts = int(bouts), int(idle)
    deal.in_play, deal.moved = seats_from(in_play), set(seats_from(moved))
    deal.out = [] if out == "-" else [seats_from(group) for group in out.split(",")]
    deal.left = seats_from(left)
