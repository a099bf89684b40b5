"""The same course of a deal with other hidden cards: nothing else tells the two apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from durak_server.matches import MakeMove, MatchRefusal, MatchStatus, StartMatch
from durak_server.rules import (
    Card,
    Move,
    MoveKind,
    Refusal,
    RuleSet,
    check,
    deck_cards,
    legal_moves,
    pick,
    to_act,
)
from durak_server.rules.moves import count
from tests.api.knowledge import Knowledge, wire_number
from tests.matches.tabletop import Tabletop, full_table
from tests.store.logs import Log, log_of

_ATTEMPTS = 60


@dataclass(frozen=True)
class Step:
    """A move of a seat, and one that the viewer tries before it and that is refused."""

    seat: int
    move: Move
    refused: Move


@dataclass(frozen=True)
class Course:
    """A deal from an order of the deck, as far as it is played; the viewer is on a seat or none."""

    rules: RuleSet
    order: tuple[Card, ...]
    viewer: int | None
    steps: Sequence[Step]

    def begun(self) -> Tabletop:
        """Return the match with its cards dealt and no move made."""
        table = full_table(self.rules)
        table.next_deal(self.order)
        table.do(StartMatch("p0", "start"))
        return table

    def log(self) -> Log:
        """Return the log of the match so far."""
        return log_of(self.begun())

    def played(self) -> Tabletop | None:
        """Return the match after all steps, None if one of them is not allowed."""
        table = self.begun()
        for step in self.steps:
            if isinstance(table.ask(MakeMove(f"p{step.seat}", "", step.move)), MatchRefusal):
                return None
        return table


def any_course(rules: RuleSet, viewer: int | None, dice: Random, most: int) -> Course:
    """Return a deal played at random for up to `most` moves, at least 3, and not to its end."""
    order = list(deck_cards(rules.deck))
    dice.shuffle(order)
    course = Course(rules, tuple(order), viewer, ())
    table = course.begun()
    steps: list[Step] = []
    for _ in range(dice.randint(3, most)):
        seat, move = _any_move(table, dice)
        steps.append(Step(seat, move, _refused_move(table, viewer, dice)))
        table.move(seat, move)
        if table.match.status is not MatchStatus.PLAYING:
            steps = steps[: len(steps) // 2]
            break
    return replace(course, steps=tuple(steps))


def _any_move(table: Tabletop, dice: Random) -> tuple[int, Move]:
    position = table.match.position
    assert position
    seat = dice.choice(to_act(position))
    group = dice.choice(legal_moves(position, seat))
    return seat, pick(group, dice.randrange(count(group)))


def _refused_move(table: Tabletop, viewer: int | None, dice: Random) -> Move:
    position = table.match.position
    assert position
    cards = deck_cards(position.law.rules.deck)
    while True:
        kind = dice.choice((MoveKind.ATTACK, MoveKind.THROW_IN, MoveKind.BEAT, MoveKind.TRANSFER))
        target = dice.choice(cards) if kind is MoveKind.BEAT else -1
        move = Move(kind, 1 << dice.choice(cards), target)
        if viewer is None or isinstance(check(position, viewer, move), Refusal):
            return move


def twin_of(course: Course, dice: Random) -> Course | None:
    """Return the same course from a deck whose hidden cards are in other places.

    None if the course shows too much for that: where a hidden card decides what is allowed, as
    the lowest trump does, an exchange of cards may spoil a move.
    """
    played = course.played()
    assert played
    known = Knowledge(played.history).known(course.viewer, played.history.sequence)
    hidden = [at for at, card in enumerate(course.order) if wire_number(card) not in known]
    for _ in range(_ATTEMPTS):
        cards = [course.order[at] for at in hidden]
        dice.shuffle(cards)
        order = list(course.order)
        for at, card in zip(hidden, cards, strict=True):
            order[at] = card
        twin = replace(course, order=tuple(order))
        if twin.order != course.order and twin.played():
            return twin
    return None
