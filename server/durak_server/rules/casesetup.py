"""The position in which a worked case begins."""

from collections.abc import Mapping
from typing import Final

from durak_server.rules.cards import SUITS, mask_of, parse_card
from durak_server.rules.law import SEAT_BITS, law_of
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
    position.trump = SUITS.index(str(case.get("trump")))
    if position.stock and law.rules.trump is Trump.NEXT_CARD:
        position.trump_card = position.stock[-1]
    position.bouts = 0 if case.get("first_bout", False) else 1
    _discard(position, case.get("discarded", 0))
    for seat, hand in enumerate(position.hands):
        position.holding |= SEAT_BITS[seat] if hand else 0
    position.in_play = position.holding
    start_bout(position, seat_number(case.get("attacker"), law.seats), None)
    return position


def _rules(case: Mapping[str, object], seats: int) -> RuleSet:
    options = mapping(case.get("opts"))
    name = str(options.pop("preset", "podkidnoy"))
    rules = preset(name, **{"seats": seats, **options})
    if rules.seats != seats or problems(rules):
        raise CaseError(f"impossible options: {[problem.text for problem in problems(rules)]}")
    return rules


def _discard(position: Position, number: object) -> None:
    """Discard so many of the cards that the case does not name; which ones makes no difference."""
    if not isinstance(number, int):
        raise CaseError(f"not a number: {number!r}")
    named = mask_of(position.stock)
    for hand in position.hands:
        named |= hand
    unnamed = [card for card in position.law.deck if not mask_of([card]) & named]
    position.discard = mask_of(unnamed[:number])
