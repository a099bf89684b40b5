"""Whose time runs, until when, and what follows when it has run out (rules.md, 15)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from durak_server import rules
from durak_server.matches.changed import changed
from durak_server.matches.commands import CreditClocks, CreditLateReturn, EndTurns
from durak_server.matches.events import (
    ClockCredited,
    ClockEvent,
    ClocksSet,
    CreditReason,
    MatchEvent,
    TimeRanOut,
)
from durak_server.matches.expiry import expire_unattended
from durak_server.matches.finishing import finish_if_played_out
from durak_server.matches.player import PlayerKind
from durak_server.matches.state import Match, MatchStatus, SeatClock
from durak_server.rules import OnTimeout, Position

_NO_TIME: Final = timedelta(0)
_MOVES: Final = (
    rules.Led,
    rules.ThrownIn,
    rules.Beaten,
    rules.Transferred,
    rules.Shown,
    rules.TakeDeclared,
    rules.Passed,
    rules.Retracted,
    rules.Dumped,
)


def set_clocks(match: Match, events: Sequence[MatchEvent], now: datetime) -> tuple[ClocksSet, ...]:
    """Return how the clocks run after `events` have led to `match`; nothing if as before.

    A seat that was on the clock already keeps its deadline, unless it has acted or a new bout has
    begun (rules.md, 15.3).
    """
    if match.status is not MatchStatus.PLAYING or not match.rules.turn_seconds:
        return ()
    is_new_bout = any(isinstance(event, rules.BoutStarted) for event in events)
    acted = {event.seat for event in events if isinstance(event, _MOVES)}
    going_on = {
        clock.seat: clock for clock in match.clocks if clock.seat not in acted and not is_new_bout
    }
    clocks = tuple(
        going_on.get(seat) or _started(match, seat, now) for seat in _seats_on_clock(match)
    )
    return () if clocks == match.clocks else (ClocksSet(clocks),)


def end_turns(match: Match, command: EndTurns) -> tuple[MatchEvent, ...]:
    """Decide `EndTurns`: nothing happens if nobody's time has run out.

    A match that clocks alone have played for too long is abandoned.
    """
    if match.position is None:
        return ()
    caused: list[rules.Event] = []
    events: list[MatchEvent] = []
    position = match.position
    for clock in sorted(match.clocks, key=lambda clock: (clock.deadline, clock.seat)):
        is_over = clock.deadline <= command.deadline and clock.seat not in command.spared
        if is_over and _is_still_asked(match, position, clock.seat):
            position, caused_now = _end_turn(position, clock.seat)
            events += (TimeRanOut(clock.seat), *caused_now)
            caused += caused_now
    finish = finish_if_played_out(match, caused) if caused else ()
    return (*events, *(finish or expire_unattended(match, events, command.most_in_a_row)))


def credit_clocks(
    match: Match, command: CreditClocks | CreditLateReturn
) -> tuple[ClockCredited, ...]:
    """Decide either command: who is on the clock gets back what he has not got back before."""
    if isinstance(command, CreditLateReturn):
        since = _late_since(match, command)
    else:
        since = _away_since(match, command)
    until = command.now + command.allowance
    credits = ((seat, until - moment) for seat, moment in since.items())
    return tuple(
        ClockCredited(seat, credit, CreditReason.RESTART)
        for seat, credit in credits
        if credit > _NO_TIME
    )


def apply_clock_event(match: Match, event: ClockEvent, at: datetime) -> Match:
    """Return the match after an event of its clocks, recorded `at`."""
    match event:
        case ClocksSet(clocks):
            banks = list(match.banks)
            for clock in match.clocks:
                banks[clock.seat] = clock.bank_at(at)
            going_on = {clock.seat for clock in match.clocks if clock in clocks}
            credited = tuple(each for each in match.credited if each[0] in going_on)
            return changed(match, clocks=clocks, banks=tuple(banks), credited=credited)
        case ClockCredited(seat, credit):
            clocks = tuple(
                replace(clock, deadline=clock.deadline + credit) if clock.seat == seat else clock
                for clock in match.clocks
            )
            others = (each for each in match.credited if each[0] != seat)
            return changed(match, clocks=clocks, credited=(*others, (seat, at)))
        case TimeRanOut():
            return match


def full_banks(match: Match) -> tuple[timedelta, ...]:
    """Return the reserves with which a deal begins, by seat."""
    return (timedelta(seconds=match.rules.bank_seconds),) * match.rules.seats


def _seats_on_clock(match: Match) -> tuple[int, ...]:
    """Return who must act, but for those for whom the house does (rules.md, 15.2)."""
    if match.position is None:
        return ()
    return tuple(seat for seat in rules.must_act(match.position) if _acts_himself(match, seat))


def _acts_himself(match: Match, seat: int) -> bool:
    player = match.seats[seat]
    return bool(player and player.kind is PlayerKind.HUMAN and not player.has_left)


def _started(match: Match, seat: int, now: datetime) -> SeatClock:
    bank = match.banks[seat]
    for clock in match.clocks:
        if clock.seat == seat:
            bank = clock.bank_at(now)
    return SeatClock(seat, now + timedelta(seconds=match.rules.turn_seconds) + bank, bank)


def _away_since(match: Match, command: CreditClocks) -> dict[int, datetime]:
    """Return since when a time counts in which nobody could act, by seat on the clock."""
    since = max(match.updated_at, command.since or match.updated_at)
    given = {seat: at + command.allowance for seat, at in match.credited}
    return {clock.seat: max(since, given.get(clock.seat, since)) for clock in match.clocks}


def _late_since(match: Match, command: CreditLateReturn) -> dict[int, datetime]:
    """Return since when a seat is on the clock for which nothing was credited; {} if not late."""
    given = {seat: at + command.allowance for seat, at in match.credited}
    return {
        clock.seat: since
        for clock in match.clocks
        if clock.seat == command.seat
        and (since := given.get(clock.seat, _begun(match, clock))) < command.now
    }


def _begun(match: Match, clock: SeatClock) -> datetime:
    """Return when a turn began to which nothing was credited."""
    return clock.deadline - timedelta(seconds=match.rules.turn_seconds) - clock.bank_left


def _is_still_asked(match: Match, position: Position, seat: int) -> bool:
    """Tell whether a turn is still there to be ended, now that others' turns were."""
    assert match.position, "clocks run during a deal only"
    if position.result or not position.in_play >> seat & 1:
        return False
    return _forfeits(position) or position.bouts == match.position.bouts


def _end_turn(position: Position, seat: int) -> tuple[Position, tuple[rules.Event, ...]]:
    if _forfeits(position):
        return rules.forfeit(position, seat)
    outcome = rules.play(position, rules.automatic_move(position, seat), seat)
    assert not isinstance(outcome, rules.Refusal), "who must act may take, pass or lead"
    return outcome


def _forfeits(position: Position) -> bool:
    return position.law.rules.on_timeout is OnTimeout.FORFEIT
