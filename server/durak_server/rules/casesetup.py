"""The position in which a worked case begins."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from durak_server.rules.cards import (
    PLAIN_CARDS,
    SUITS,
    Card,
    card_name,
    mask_of,
    parse_card,
    suit_of,
)
from durak_server.rules.law import SEAT_BITS, Law, law_of
from durak_server.rules.options import RuleSet, Trump
from durak_server.rules.position import Position
from durak_server.rules.presets import preset
from durak_server.rules.problems import problems
from durak_server.rules.settle import start_bout

CASE_KEYS: Final = frozenset(
    [
        "id",
        "title",
        "opts",
        "trump",
        "attacker",
        "first_bout",
        "discarded",
        "hands",
        "stock",
        "steps",
        "expect",
        "why",
    ]
)


class CaseError(Exception):
    """A case is not written as a case should be."""


def set_up(case: Mapping[str, object]) -> Position:
    """Return the position before the first step of a case.

    Raises:
        CaseError: something in the case is missing, unknown or impossible.
    """
    unknown = set(case) - CASE_KEYS
    if unknown:
        raise CaseError(f"unknown keys: {', '.join(sorted(unknown))}")
    try:
        return _position(case)
    except (ValueError, TypeError) as error:
        raise CaseError(str(error)) from error


def mapping(value: object) -> dict[str, object]:
    """Return the value as a mapping from text.

    Raises:
        CaseError: it is none.
    """
    if not isinstance(value, Mapping):
        raise CaseError(f"not a mapping: {value!r}")
    return {str(key): item for key, item in value.items()}


def strings(value: object) -> list[str]:
    """Return the value as a list of text.

    Raises:
        CaseError: it is none.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise CaseError(f"not a list of text: {value!r}")
    return value


def count(key: str, value: object) -> int:
    """Return the value under a key as a number from 0.

    Raises:
        CaseError: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseError(f"{key}: not a number: {value!r}")
    return value


def truth(key: str, value: object) -> bool:
    """Return the value under a key as true or false.

    Raises:
        CaseError: it is neither.
    """
    if not isinstance(value, bool):
        raise CaseError(f"{key}: not true or false: {value!r}")
    return value


def seat_number(name: object, seats: int) -> int:
    """Return the number of the seat called "P0", "P1" ...

    Raises:
        CaseError: there is no such seat.
    """
    if name not in [f"P{seat}" for seat in range(seats)]:
        raise CaseError(f"no such seat: {name!r}")
    return int(str(name)[1:])


def _position(case: Mapping[str, object]) -> Position:
    hands = mapping(case.get("hands"))
    law = law_of(_rules(case, len(hands)))
    position = Position(law, law.seats - 1)
    for name, cards in hands.items():
        held = mask_of(map(parse_card, strings(cards)))
        position.hands[seat_number(name, law.seats)] = held
    position.stock = tuple(map(parse_card, strings(case.get("stock"))))
    _require_one_deck(law, hands, case)
    position.trump = _trump(case.get("trump"))
    if position.stock and law.rules.trump is Trump.NEXT_CARD:
        position.trump_card = position.stock[-1]
        _require_trump(position.trump_card, position.trump)
    position.bouts = 0 if truth("first_bout", case.get("first_bout", False)) else 1
    _discard(position, count("discarded", case.get("discarded", 0)))
    for seat, hand in enumerate(position.hands):
        position.holding |= SEAT_BITS[seat] if hand else 0
    position.in_play = position.holding
    start_bout(position, _attacker(position, case.get("attacker")), None)
    return position


def _require_one_deck(law: Law, hands: Mapping[str, object], case: Mapping[str, object]) -> None:
    """Require that all cards named are in the deck, and each in one place."""
    places = [strings(cards) for cards in (*hands.values(), case.get("stock"))]
    cards = Counter(parse_card(name) for place in places for name in place)
    for card, times in cards.items():
        if card not in law.deck:
            raise CaseError(f"the deck has no {card_name(card)}")
        if times > 1:
            raise CaseError(f"{card_name(card)} is in {times} places")


def _trump(name: object) -> int:
    if not isinstance(name, str) or name not in tuple(SUITS):
        raise CaseError(f"no such suit: {name!r}")
    return SUITS.index(name)


def _require_trump(card: Card, trump: int) -> None:
    if not PLAIN_CARDS & mask_of([card]) or suit_of(card) != trump:
        raise CaseError(f"the trump is {SUITS[trump]}, but the open card {card_name(card)}")


def _attacker(position: Position, name: object) -> int:
    seat = seat_number(name, position.law.seats)
    if not position.hands[seat]:
        raise CaseError(f"the attacker {name} has no cards")
    return seat


def _rules(case: Mapping[str, object], seats: int) -> RuleSet:
    options = mapping(case.get("opts"))
    name = str(options.pop("preset", "podkidnoy"))
    rules = preset(name, **{"seats": seats, **options})
    if rules.seats != seats or problems(rules):
        raise CaseError(f"impossible options: {[problem.text for problem in problems(rules)]}")
    return rules


def _discard(position: Position, number: int) -> None:
    """Discard so many of the cards that the case does not name; which ones makes no difference."""
    named = mask_of(position.stock)
    for hand in position.hands:
        named |= hand
    unnamed = [card for card in position.law.deck if not mask_of([card]) & named]
    if number > len(unnamed):
        raise CaseError(f"discarded: {number}, but only {len(unnamed)} cards are left for it")
    position.discard = mask_of(unnamed[:number])
