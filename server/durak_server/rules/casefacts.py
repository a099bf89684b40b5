"""What a worked case may expect, read off the position and the events it led to."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from durak_server.rules.cards import card_name, cards_of, size_of
from durak_server.rules.casesetup import CaseError, count, mapping, seat_number, strings, truth
from durak_server.rules.events import DealEndReason, Drew, Event
from durak_server.rules.position import Position


def observed(key: str, position: Position, events: Sequence[Event], expected: object) -> object:
    """Return what is seen under a key of `expect`, in the form that `in_order` gives.

    Per seat, only the seats that are expected are looked at.

    Raises:
        CaseError: the key is unknown.
    """
    if key in _OF_EVENTS:
        return _OF_EVENTS[key](events)
    if key in _OF_SEAT:
        look = _OF_SEAT[key]
        names = mapping(expected)
        return {name: look(position, seat_number(name, position.law.seats)) for name in names}
    if key not in _OF_POSITION:
        raise CaseError(f"unknown expectation: {key}")
    return _OF_POSITION[key](position)


def in_order(key: str, expected: object) -> object:
    """Return an expected value with sets of cards and seats sorted.

    Raises:
        CaseError: it is of another type than what is seen under the key.
    """
    if key == "hands":
        return {name: sorted(strings(cards)) for name, cards in mapping(expected).items()}
    if key in ("draws", "hand_sizes"):
        numbers = {
            seat: count(f"{key} of {seat}", said) for seat, said in mapping(expected).items()
        }
        # Who drew nothing is not seen to draw; a case may say so all the same.
        return {seat: number for seat, number in numbers.items() if number or key != "draws"}
    if key in ("over", "draw"):
        return truth(key, expected)
    if key in ("room", "stock", "discard", "epaulettes"):
        return count(key, expected)
    return sorted(strings(expected)) if key in ("out", "table") else expected


def _draws(events: Iterable[Event]) -> dict[str, int]:
    drawn: dict[str, int] = {}
    for event in events:
        if isinstance(event, Drew):
            drawn[_name(event.seat)] = drawn.get(_name(event.seat), 0) + len(event.cards)
    return drawn


def _hand(position: Position, seat: int) -> list[str]:
    return sorted(map(card_name, cards_of(position.hands[seat])))


def _table(position: Position) -> list[str]:
    covers = position.covers
    return sorted(
        f"{card_name(card)}/{card_name(covers[card])}" if card in covers else card_name(card)
        for card in position.attacks
    )


def _places(position: Position) -> list[object]:
    groups = [[_name(seat) for seat in group] for group in position.out]
    return [group[0] if len(group) == 1 else group for group in groups]


def _fool(position: Position) -> object:
    fools = [_name(seat) for seat in position.result.fools] if position.result else []
    return fools if len(fools) > 1 else next(iter(fools), None)


def _draw(position: Position) -> bool:
    """Return whether the deal ended as a draw (rules.md, 8.4 and 8.6)."""
    drawn = (DealEndReason.DRAW, DealEndReason.BOUND)
    return position.result is not None and position.result.reason in drawn


def _between_bouts(position: Position, seat: int) -> str | None:
    return None if position.attacks or position.result else _name(seat)


def _name(seat: int) -> str:
    return f"P{seat}"


_OF_EVENTS: Final[Mapping[str, Callable[[Sequence[Event]], object]]] = {
    "draws": _draws,
    "draw_sequence": lambda events: list(_draws(events)),
}
_OF_SEAT: Final[Mapping[str, Callable[[Position, int], object]]] = {
    "hands": _hand,
    "hand_sizes": lambda position, seat: size_of(position.hands[seat]),
}
_OF_POSITION: Final[Mapping[str, Callable[[Position], object]]] = {
    "next_attacker": lambda position: _between_bouts(position, position.leader),
    "next_defender": lambda position: _between_bouts(position, position.defender),
    "defender": lambda position: _name(position.defender),
    "table": _table,
    "room": lambda position: max(position.limit - len(position.attacks), 0),
    "stock": lambda position: len(position.stock),
    "discard": lambda position: size_of(position.discard),
    "out": lambda position: sorted(_name(seat) for group in position.out for seat in group),
    "places": _places,
    "over": lambda position: position.result is not None,
    "draw": _draw,
    "fool": _fool,
    "epaulettes": lambda position: position.result.epaulettes if position.result else 0,
}
