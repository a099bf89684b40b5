"""Judges the clocks of stored matches: nobody pays for the time in which he could not play."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from durak_server.matches import ClockCredited, Record, TimeRanOut, fold

_NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no server was there: one had ended, and the next did not serve yet."""

    begun: datetime
    over: datetime


Returns = Mapping[str, Sequence[datetime]]
"""When each player of a match had his stream again, by his id."""


def clock_faults(
    log: Sequence[Record], outages: Iterable[Outage], returns: Returns
) -> Iterator[str]:
    """Yield what is wrong with the clocks of a match, one sentence a fault."""
    for record in log:
        if isinstance(record.event, TimeRanOut):
            yield f"seat {record.event.seat} ran out of time at event {record.sequence}"
    for outage in outages:
        yield from _unpaid(log, outage, returns)


def _unpaid(log: Sequence[Record], outage: Outage, returns: Returns) -> Iterator[str]:
    """Yield who was on the clock when an outage began and paid for a part of his absence."""
    earlier = [record for record in log if record.recorded_at <= outage.begun]
    credits = _credits_at_the_start_of(log[len(earlier) :])
    for seat, player_id in _on_the_clock(earlier):
        back = [moment for moment in returns.get(player_id, ()) if moment > outage.begun]
        if not back:
            yield f"seat {seat} never came back after {outage.begun}"
        elif credits.get(seat, _NOTHING) < back[0] - outage.begun:
            yield f"seat {seat} was away for {back[0] - outage.begun}, got {credits.get(seat)}"


def _credits_at_the_start_of(log: Sequence[Record]) -> dict[int, timedelta]:
    """Return what each seat was credited before anything else happened."""
    credits = {}
    for record in log:
        if not isinstance(record.event, ClockCredited):
            break
        credits[record.event.seat] = record.event.credit
    return credits


def _on_the_clock(log: Sequence[Record]) -> Iterator[tuple[int, str]]:
    """Yield the seats whose clocks run after so much of a log, and who sits there."""
    for _, match in deque(fold(None, log), maxlen=1):
        for clock in match.clocks:
            player = match.seats[clock.seat]
            assert player, "a clock runs for somebody"
            yield clock.seat, player.player_id
