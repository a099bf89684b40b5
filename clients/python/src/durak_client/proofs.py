"""Whether each deal of a match is the one that its seeds give, from the match's events alone.

The server's docs/fair-deals.md says what a proof proves and what it does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from durak_client import events as facts
from durak_client.cards import Card
from durak_client.events import Event
from durak_client.fair import commitment_to, deck_order
from durak_client.fair_table import DoesNotFit, Misfit, OpenTable
from durak_client.matches import Option


class NotWhole(ValueError):
    """The events are not all those of a match, from its first one."""


class Verdict(StrEnum):
    """What is known of a deal."""

    PROVEN = "PROVEN"
    """It is the one to which the server was bound, and everything seen fits."""
    BROKEN = "BROKEN"
    """It is not."""
    SECRET = "SECRET"
    """It is being played, and the server's seed is secret until its end."""
    UNBOUND = "UNBOUND"
    """The server was bound to nothing, so nothing can be proven."""


class Breach(StrEnum):
    """How a server broke its promise, besides showing cards that do not fit."""

    COMMITMENT = "COMMITMENT"
    """The seed shown is not the one committed to."""
    COMMITTED_TWICE = "COMMITTED_TWICE"
    """There was a second commitment for the same shuffle, or one after its deal had begun."""
    SEED_OUT_OF_TIME = "SEED_OUT_OF_TIME"
    """A player's seed was added before the commitment, after the deal began, or a second time."""
    SHOWN_EARLY = "SHOWN_EARLY"
    """The seed was shown before its deal began, when players could still choose theirs by it."""
    NEVER_SHOWN = "NEVER_SHOWN"
    """The deal is over and the seed was not shown."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of one deal. `seats` are those whose seeds went into it, ascending.

    `breach` and `sequence`, the number of the event in which it shows, are set for a BROKEN one.
    """

    deal: int
    shuffle: int
    verdict: Verdict
    seats: tuple[int, ...] = ()
    breach: Breach | Misfit | None = None
    sequence: int = 0


def proofs(match_id: str, events: Sequence[Event]) -> tuple[Proof, ...]:
    """Return what the events of a match, the first included, prove of each of its deals.

    Raises:
        NotWhole: an event is missing, or they do not begin with the making of the match.
        ValueError: the match has a deck that is not known here.
    """
    if [event.sequence for event in events] != list(range(1, len(events) + 1)):
        raise NotWhole("the events do not count 1, 2, 3 ...")
    if not events or not isinstance(events[0].fact, facts.MatchCreated):
        raise NotWhole("the first event does not make a match")
    rules = events[0].fact.rules
    if not all(rules.get(option) for option in ("deck", "seats", "deal_step", "trump")):
        raise NotWhole("the first event does not tell the rules")
    record = _Record()
    for event in events:
        record.take_in(event)
    return tuple(_proof(match_id, record, course, rules) for course in record.courses)


@dataclass(slots=True)
class _Course:
    """One deal: its shuffle's number, how it began, and what followed."""

    shuffle: int
    started: facts.DealStarted
    sequence: int
    events: list[Event] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The number of the event that says that the deal is over; 0 if none does."""
        ends = (each.sequence for each in self.events if isinstance(each.fact, facts.DealEnded))
        return next(ends, 0)


class _Record:
    """What the events tell of each shuffle, by its number."""

    def __init__(self) -> None:
        self.courses: list[_Course] = []
        self.commitments: dict[int, bytes] = {}
        self.seeds: dict[int, dict[int, bytes]] = {}
        self.revealed: dict[int, tuple[bytes, int]] = {}
        self.breaches: dict[int, tuple[Breach, int]] = {}
        self.end = 0
        """The number of the event that ends the match; 0 while it goes on."""

    def take_in(self, event: Event) -> None:
        match event.fact:
            case facts.DealCommitted(shuffle, commitment):
                self._commit(shuffle, commitment, event.sequence)
            case facts.SeedAdded(shuffle, seat, seed):
                self._add(shuffle, seat, seed, event.sequence)
            case facts.SeedRevealed(shuffle, seed):
                self._reveal(shuffle, seed, event.sequence)
            case facts.DealStarted() as started:
                self.courses.append(_Course(len(self.courses) + 1, started, event.sequence))
            case facts.PlayerLeft(seat) if not self.courses:
                for seeds in self.seeds.values():
                    seeds.pop(seat, None)
            case facts.MatchFinished() | facts.MatchAbandoned():
                self.end = event.sequence
            case _ if self.courses:
                self.courses[-1].events.append(event)
            case _:
                pass

    def _commit(self, shuffle: int, commitment: bytes, sequence: int) -> None:
        if shuffle in self.commitments or shuffle <= len(self.courses):
            self.breaches.setdefault(shuffle, (Breach.COMMITTED_TWICE, sequence))
        self.commitments.setdefault(shuffle, commitment)

    def _add(self, shuffle: int, seat: int, seed: bytes, sequence: int) -> None:
        seeds = self.seeds.setdefault(shuffle, {})
        is_open = shuffle in self.commitments and shuffle > len(self.courses)
        if not is_open or seat in seeds:
            self.breaches.setdefault(shuffle, (Breach.SEED_OUT_OF_TIME, sequence))
        seeds.setdefault(seat, seed)

    def _reveal(self, shuffle: int, seed: bytes, sequence: int) -> None:
        if shuffle > len(self.courses):
            self.breaches.setdefault(shuffle, (Breach.SHOWN_EARLY, sequence))
        self.revealed.setdefault(shuffle, (seed, sequence))


def _proof(match_id: str, record: _Record, course: _Course, rules: Mapping[str, Option]) -> Proof:
    number, deal = course.shuffle, course.started.deal
    seeds = record.seeds.get(number, {})
    if number not in record.commitments:
        return Proof(deal, number, Verdict.UNBOUND)
    broken: tuple[Breach | Misfit, int] | None
    broken = record.breaches.get(number) or _breach_of_seed(record, course)
    if broken is None and number in record.revealed:
        seed, _ = record.revealed[number]
        order = deck_order(int(rules["deck"]), match_id, number, seed, seeds)
        broken = _misfit(order, course, rules)
    if broken:
        return Proof(deal, number, Verdict.BROKEN, tuple(sorted(seeds)), *broken)
    is_shown = number in record.revealed
    verdict = Verdict.PROVEN if is_shown else Verdict.SECRET
    return Proof(deal, number, verdict, tuple(sorted(seeds)))


def _breach_of_seed(record: _Record, course: _Course) -> tuple[Breach, int] | None:
    """Return what is wrong with the seed that was, or was not, shown."""
    if course.shuffle in record.revealed:
        seed, sequence = record.revealed[course.shuffle]
        fits = commitment_to(seed) == record.commitments[course.shuffle]
        return None if fits else (Breach.COMMITMENT, sequence)
    later = [other.sequence for other in record.courses[course.shuffle :]]
    over = course.end or next(iter(later), record.end)
    return (Breach.NEVER_SHOWN, over) if over else None


def _misfit(
    order: tuple[Card, ...], course: _Course, rules: Mapping[str, Option]
) -> tuple[Misfit, int] | None:
    """Return the first event that the order cannot give, and what is wrong with it."""
    sequence = course.sequence
    try:
        table = OpenTable(order, course.started, rules)
        for event in course.events:
            sequence = event.sequence
            table.take_in(event.fact)
    except DoesNotFit as problem:
        return problem.misfit, sequence
    return None


def names_by_seat(events: Iterable[Event]) -> dict[int, str]:
    """Return who sat where, the last one where several did."""
    joined = (event.fact for event in events)
    return {
        fact.seat.seat: fact.seat.name for fact in joined if isinstance(fact, facts.PlayerJoined)
    }
