"""Judges the clocks of stored matches: nobody pays for the time in which he could not play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile

from durak_server.matches import ClockCredited, ClocksSet, Record, SeatClock, TimeRanOut, fold


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no server was there: one had ended, and the next did not serve yet."""

    begun: datetime
    over: datetime


Returns = Mapping[str, Sequence[datetime]]
"""When each player of a match had his stream again, by his id."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A clock that runs: whose, until when, since when, and how much it was given back so far."""

    player_id: str
    deadline: datetime
    begun: datetime
    credit: timedelta = timedelta(0)


def clock_faults(
    log: Sequence[Record], outages: Sequence[Outage], returns: Returns
) -> Iterator[str]:
    """Yield what is wrong with the clocks of a match, one sentence a fault."""
    for record in log:
        if isinstance(record.event, TimeRanOut):
            yield f"seat {record.event.seat} ran out of time at event {record.sequence}"
    turns = list(_turns(log))
    for number, outage in enumerate(outages, 1):
        earlier = sum(record.recorded_at <= outage.begun for record in log)
        if earlier:
            yield from _unpaid(turns[earlier - 1 :], outages[:number], returns)


def _unpaid(
    turns: Sequence[Mapping[int, _Turn]], outages: Sequence[Outage], returns: Returns
) -> Iterator[str]:
    """Yield who was on the clock in the last of these outages and paid for being away.

    `turns` are those that ran when it began, and after each event from then on.
    """
    for seat, turn in turns[0].items():
        away = timedelta(0)
        for outage in (each for each in outages if each.begun > turn.begun):
            back = [at for at in returns.get(turn.player_id, ()) if at > outage.begun]
            if back:
                away += back[0] - outage.begun
            else:
                yield f"seat {seat} never came back after {outage.begun}"
        given_back = _credit(turn, [running.get(seat) for running in turns])
        if given_back < away:
            yield f"seat {seat} was away for {away} of a turn, got {given_back}"


def _credit(turn: _Turn, later: Sequence[_Turn | None]) -> timedelta:
    """Return what was given back in a turn until it ended, of a seat's turns from then on."""
    going_on = takewhile(lambda each: each and each.begun == turn.begun, later)
    return max(each.credit for each in going_on if each)


def _turns(log: Sequence[Record]) -> Iterator[dict[int, _Turn]]:
    """Yield whose clocks run after each record of a log, by seat."""
    turns: dict[int, _Turn] = {}
    for record, match in fold(None, log):
        people = {seat: player.player_id for seat, player in enumerate(match.seats) if player}
        match record.event:
            case ClocksSet(clocks):
                turns = {
                    clock.seat: _gone_on(turns.get(clock.seat), clock, record, people[clock.seat])
                    for clock in clocks
                }
            case ClockCredited(seat, credit):
                turn = turns[seat]
                given = turn.credit + credit
                turns[seat] = replace(turn, deadline=turn.deadline + credit, credit=given)
        turns = {clock.seat: turns[clock.seat] for clock in match.clocks}
        yield turns


def _gone_on(turn: _Turn | None, clock: SeatClock, record: Record, player_id: str) -> _Turn:
    """Return the turn of a clock: the one that there was, if its deadline still holds."""
    if turn and turn.deadline == clock.deadline:
        return turn
    return _Turn(player_id, clock.deadline, record.recorded_at)
