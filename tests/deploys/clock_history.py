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
    for number in range(len(outages)):
        yield from _unpaid(log, outages[: number + 1], returns)


def _unpaid(log: Sequence[Record], outages: Sequence[Outage], returns: Returns) -> Iterator[str]:
    """Yield who was on the clock in the last of these outages and paid for being away."""
    earlier = [record for record in log if record.recorded_at <= outages[-1].begun]
    credits = takewhile(lambda r: isinstance(r.event, ClockCredited), log[len(earlier) :])
    given_back = _turns([*earlier, *credits])
    for seat, turn in _turns(earlier).items():
        away = timedelta(0)
        for outage in (each for each in outages if each.begun > turn.begun):
            back = [at for at in returns.get(turn.player_id, ()) if at > outage.begun]
            if back:
                away += back[0] - outage.begun
            else:
                yield f"seat {seat} never came back after {outage.begun}"
        if given_back[seat].credit < away:
            yield f"seat {seat} was away for {away} of a turn, got {given_back[seat].credit}"


def _turns(log: Sequence[Record]) -> dict[int, _Turn]:
    """Return whose clocks run after so much of a log, by seat."""
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
    return turns


def _gone_on(turn: _Turn | None, clock: SeatClock, record: Record, player_id: str) -> _Turn:
    """Return the turn of a clock: the one that there was, if its deadline still holds."""
    if turn and turn.deadline == clock.deadline:
        return turn
    return _Turn(player_id, clock.deadline, record.recorded_at)
