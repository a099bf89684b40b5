"""A position as one line of text, and back.

Twelve fields separated by one space; "-" stands for nothing. Cards are written one after the
other ("7STH"), seats as digits, lists over seats with "/" between the seats.

    rules    a preset, then every option that differs: podkidnoy,seats=3,retract=true
    trump    suit, then the card turned up, if any: HAH, D
    seats    dealer, leader, main attacker, defender: 0113
    stock    next card first
    hands    one per seat; after ":" the cards everybody knows to be there: 7S9D:9D/KC/-
    table    attack/cover@seat in the order laid, "?" if thrown in: 7S/8S@0,7D/-@2?
    bout     limit, "t" if the defender takes, then "p" and the seats that passed: 6tp02
    traces   of the bout, ";" between: retracted, shown, seats that emptied, finishing cards, and
             what was dumped: -;-;0;7S;-  or  -;-;0;7S;0:7D,2:7C
    discard  cards
    removed  cards that left with a player
    tally    ";" between: bouts, barren bouts, seats in play, seats that moved, seats out (equal
             places together, "," between), seats that left: 4;0;013;0123;2;-
    result   ";" between: reason, fools, places, epaulettes: FOOL;3;2,0,1,3;0
"""

from collections.abc import Iterable

from durak_server.rules.cards import (
    BIT,
    NO_CARD,
    SUITS,
    Card,
    Mask,
    card_name,
    cards_of,
    lowest_card,
    mask_of,
    parse_card,
)
from durak_server.rules.events import DealEnded, DealEndReason
from durak_server.rules.law import SAME_RANK, SEAT_BITS, law_of
from durak_server.rules.position import Position
from durak_server.rules.problems import problems
from durak_server.rules.ruletext import format_rules, parse_rules
from durak_server.rules.seating import seats_of

_NOTHING = "-"
_FIELDS = 12


def format_position(position: Position) -> str:
    """Return the position as one line; `parse_position` gives an equal one back."""
    return " ".join(
        (
            format_rules(position.law.rules),
            SUITS[position.trump] + _card(position.trump_card, ""),
            f"{position.dealer}{position.leader}{position.main_attacker}{position.defender}",
            format_cards(position.stock),
            "/".join(map(_hand, position.hands, position.known)),
            _table(position),
            _bout(position),
            _traces(position),
            format_cards(cards_of(position.discard)),
            format_cards(cards_of(position.removed)),
            _tally(position),
            format_result(position.result),
        )
    )


def parse_position(text: str) -> Position:
    """Return the position that a line stands for.

    Raises:
        ValueError: the line is not such a line.
    """
    parts = text.split(" ")
    if len(parts) != _FIELDS:
        raise ValueError(f"a position has {_FIELDS} fields, not {len(parts)}")
    try:
        return _read_position(parts)
    except IndexError as error:
        raise ValueError("a seat or a part of a field that there is not") from error


def _read_position(parts: list[str]) -> Position:
    rules = parse_rules(parts[0])
    if problems(rules):
        raise ValueError(f"an impossible rule set: {problems(rules)[0].text}")
    dealer, leader, main_attacker, defender = _seats(parts[2])
    position = Position(law_of(rules), dealer)
    position.leader, position.main_attacker, position.defender = leader, main_attacker, defender
    position.trump = SUITS.index(parts[1][0])
    position.trump_card = parse_card(parts[1][1:]) if parts[1][1:] else NO_CARD
    position.stock = parse_cards(parts[3])
    _read_hands(position, parts[4])
    _read_table(position, parts[5])
    _read_bout(position, parts[6])
    _read_traces(position, parts[7])
    position.discard = mask_of(parse_cards(parts[8]))
    position.removed = mask_of(parse_cards(parts[9]))
    _read_tally(position, parts[10])
    position.result = parse_result(parts[11])
    if position.result is None:
        position.attackers = position.law.entitled[main_attacker][defender][position.in_play]
    return position


def _card(card: Card, nothing: str = _NOTHING) -> str:
    return nothing if card == NO_CARD else card_name(card)


def format_cards(cards: Iterable[Card]) -> str:
    """Return the names of cards one after the other, "-" for none."""
    return "".join(map(card_name, cards)) or _NOTHING


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a run of names; a joker's has three letters.

    Raises:
        ValueError: no card has such a name.
    """
    cards = []
    rest = "" if text == _NOTHING else text
    while rest:
        length = 3 if rest.startswith("JK") and rest[2:3] in ("R", "B") else 2
        cards.append(parse_card(rest[:length]))
        rest = rest[length:]
    return tuple(cards)


def _digits(seats: Iterable[int]) -> str:
    return "".join(map(str, seats)) or _NOTHING


def _seats(text: str) -> tuple[int, ...]:
    return () if text == _NOTHING else tuple(map(int, text))


def _seat_mask(text: str) -> int:
    return sum(SEAT_BITS[seat] for seat in _seats(text))


def _groups(groups: Iterable[Iterable[int]]) -> str:
    return ",".join(map(_digits, groups)) or _NOTHING


def _parse_groups(text: str) -> tuple[tuple[int, ...], ...]:
    return () if text == _NOTHING else tuple(map(_seats, text.split(",")))


def _hand(hand: Mask, known: Mask) -> str:
    return format_cards(cards_of(hand)) + (":" + format_cards(cards_of(known)) if known else "")


def _read_hands(position: Position, text: str) -> None:
    for seat, part in enumerate(text.split("/")):
        hand, _, known = part.partition(":")
        position.hands[seat] = mask_of(parse_cards(hand))
        position.known[seat] = mask_of(parse_cards(known or _NOTHING))
        position.holding |= SEAT_BITS[seat] if position.hands[seat] else 0


def _table(position: Position) -> str:
    return (
        ",".join(
            f"{_card(card)}/{_card(position.covers.get(card, NO_CARD))}"
            f"@{seat}{'?' if position.thrown & BIT[card] else ''}"
            for card, seat in position.attacks.items()
        )
        or _NOTHING
    )


def _read_table(position: Position, text: str) -> None:
    for part in () if text == _NOTHING else text.split(","):
        cards, _, seat = part.partition("@")
        name, cover_name = cards.split("/")
        attack = parse_card(name)
        card, cover = BIT[attack], mask_of(parse_cards(cover_name))
        position.attacks[attack] = int(seat[0])
        position.on_table |= card | cover
        position.uncovered |= 0 if cover else card
        position.thrown |= card if seat.endswith("?") else 0
        position.ranks |= SAME_RANK[attack]
        if cover:
            position.covers[attack] = lowest_card(cover)
            position.ranks |= SAME_RANK[lowest_card(cover)]


def _bout(position: Position) -> str:
    passed = "p" + _digits(seats_of(position.passed)) if position.passed else ""
    return f"{position.limit}{'t' if position.taking else ''}{passed}"


def _read_bout(position: Position, text: str) -> None:
    limit, _, passed = text.partition("p")
    position.taking = limit.endswith("t")
    position.limit = int(limit.rstrip("t"))
    position.passed = _seat_mask(passed or _NOTHING)


def _traces(position: Position) -> str:
    dumps = ",".join(f"{seat}:{format_cards(cards_of(cards))}" for seat, cards in position.dumps)
    return ";".join(
        (
            format_cards(cards_of(position.retracted)),
            format_cards(cards_of(position.shown)),
            _digits(position.emptied),
            format_cards(cards_of(position.finishing)),
            dumps or _NOTHING,
        )
    )


def _read_traces(position: Position, text: str) -> None:
    retracted, shown, emptied, finishing, dumps = text.split(";")
    position.retracted = mask_of(parse_cards(retracted))
    position.shown = mask_of(parse_cards(shown))
    position.emptied = _seats(emptied)
    position.finishing = mask_of(parse_cards(finishing))
    if dumps != _NOTHING:
        pairs = (dump.split(":") for dump in dumps.split(","))
        position.dumps = tuple((int(seat), mask_of(parse_cards(cards))) for seat, cards in pairs)


def _tally(position: Position) -> str:
    return ";".join(
        (
            str(position.bouts),
            str(position.barren),
            _digits(seats_of(position.in_play)),
            _digits(seats_of(position.moved)),
            _groups(position.out),
            _digits(position.forfeited),
        )
    )


def _read_tally(position: Position, text: str) -> None:
    bouts, barren, in_play, moved, out, forfeited = text.split(";")
    position.bouts, position.barren = int(bouts), int(barren)
    position.in_play, position.moved = _seat_mask(in_play), _seat_mask(moved)
    position.out, position.forfeited = _parse_groups(out), _seats(forfeited)


def format_result(result: DealEnded | None) -> str:
    """Return how a deal ended, as in a position; "-" if it did not."""
    if result is None:
        return _NOTHING
    fools, places = _digits(result.fools), _groups(result.places)
    return f"{result.reason};{fools};{places};{result.epaulettes}"


def parse_result(text: str) -> DealEnded | None:
    """Return what `format_result` wrote.

    Raises:
        ValueError: it wrote no such text.
    """
    if text == _NOTHING:
        return None
    reason, fools, places, epaulettes = text.split(";")
    return DealEnded(_seats(fools), _parse_groups(places), int(epaulettes), DealEndReason(reason))
