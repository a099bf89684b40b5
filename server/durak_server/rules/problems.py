"""Which rule sets cannot be played (rules.md, 11)."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from durak_server.rules.cards import DECK_SIZES
from durak_server.rules.law import HAND_SIZE
from durak_server.rules.options import (
    DrawOrder,
    FirstBoutCap,
    Jokers,
    Overthrow,
    RuleSet,
    Teams,
    ThrowIn,
    ThrowInPriority,
    ThrowInTiming,
)

_DEFAULTS: Final = RuleSet()
_NEEDS_TRANSFER: Final = (
    "transfer_hand_check",
    "transfer_first_bout",
    "transfer_many",
    "transfer_show",
)
_NEEDS_THROW_IN: Final = (
    "throw_in_priority",
    "throw_in_many",
    "throw_in_timing",
    "throw_in_after_take",
    "retract",
    "dump",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one option, named by its field in RuleSet."""

    field: str
    text: str


def problems(rules: RuleSet) -> tuple[Problem, ...]:
    """Return why the rule set is impossible, in the order of its fields; nothing if it is sound.

    An option left at its default is never the problem, save a number that does not fit another.
    """
    found = [
        *_number_problems(rules),
        *_deck_problems(rules),
        *_throw_in_problems(rules),
        *_transfer_problems(rules),
        *_team_problems(rules),
    ]
    order = [field.name for field in fields(RuleSet)]
    return tuple(sorted(found, key=lambda problem: order.index(problem.field)))


def _number_problems(rules: RuleSet) -> Iterator[Problem]:
    if not 2 <= rules.seats <= 6:
        yield Problem("seats", "there are 2 to 6 seats")
    if rules.deck not in DECK_SIZES:
        yield Problem("deck", "a deck has 24, 36, 52 or 54 cards")
    if rules.deal_step not in (1, 2):
        yield Problem("deal_step", "cards are dealt 1 or 2 at a time")
    for name in ("deals", "turn_seconds", "bank_seconds"):
        if getattr(rules, name) < 0:
            yield Problem(name, "must not be negative")
    if rules.bank_seconds > 0 and rules.turn_seconds == 0:
        yield Problem("bank_seconds", "a reserve needs turn_seconds")


def _deck_problems(rules: RuleSet) -> Iterator[Problem]:
    if rules.deck in DECK_SIZES and rules.seats * HAND_SIZE > rules.deck:
        yield Problem(
            "seats", f"{rules.seats} seats need {rules.seats * HAND_SIZE} cards of {rules.deck}"
        )
    if rules.jokers is not Jokers.NONE and rules.deck != 54:
        yield Problem("jokers", "only a deck of 54 has jokers")
    if rules.jokers is Jokers.NONE and rules.deck == 54:
        yield Problem("deck", "a deck of 54 needs the option jokers")
    if rules.epaulettes and rules.deck == 24:
        yield Problem("epaulettes", "a deck of 24 has no sixes")


def _throw_in_problems(rules: RuleSet) -> Iterator[Problem]:
    if rules.throw_in is ThrowIn.NONE:
        for name in _changed(rules, _NEEDS_THROW_IN):
            yield Problem(name, "needs throw_in")
    elif (
        rules.throw_in_timing is ThrowInTiming.AFTER_COVERED
        and rules.throw_in_priority is not ThrowInPriority.LEADER_FIRST
    ):
        yield Problem("throw_in_priority", "AFTER_COVERED asks one seat at a time: LEADER_FIRST")
    if rules.throw_in is ThrowIn.NONE and not rules.lead_many:
        if rules.overthrow is not Overthrow.FORBID and not rules.transfer:
            yield Problem("overthrow", "one card led and none thrown in exceed no hand")
        if rules.first_bout_cap is not FirstBoutCap.NONE and not rules.transfer:
            yield Problem("first_bout_cap", "one card led and none thrown in reach no cap")


def _transfer_problems(rules: RuleSet) -> Iterator[Problem]:
    if rules.transfer:
        return
    for name in _changed(rules, _NEEDS_TRANSFER):
        yield Problem(name, "needs transfer")
    if rules.draw_order is DrawOrder.MAIN_ATTACKER_CLOCKWISE:
        yield Problem("draw_order", "MAIN_ATTACKER_CLOCKWISE needs transfer")


def _team_problems(rules: RuleSet) -> Iterator[Problem]:
    if rules.teams is Teams.ALTERNATE and rules.seats not in (4, 6):
        yield Problem("teams", "teams need 4 or 6 seats")


def _changed(rules: RuleSet, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if getattr(rules, name) != getattr(_DEFAULTS, name):
            yield name
