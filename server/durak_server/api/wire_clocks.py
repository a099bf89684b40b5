"""Events of clocks, for answers."""

from typing import assert_never

from durak_server import matches
from durak_server.api.wire_enums import CREDIT_REASONS
from durak_server.api.wire_times import wire_duration, wire_time
from durak_server.pb.durak.v1 import event_pb2 as pb


def set_clock_kind(event: pb.Event, seen: matches.ClockEvent) -> None:
    """Fill in what happened to the clocks."""
    match seen:
        case matches.ClocksSet(clocks):
            event.clocks_set.CopyFrom(pb.ClocksSet(clocks=map(_clock, clocks)))
        case matches.TimeRanOut(seat):
            event.time_ran_out.CopyFrom(pb.TimeRanOut(seat=seat))
        case matches.ClockCredited(seat, credit, reason):
            event.clock_credited.CopyFrom(
                pb.ClockCredited(
                    seat=seat, credit=wire_duration(credit), reason=CREDIT_REASONS[reason]
                )
            )
        case _:
            assert_never(seen)


def _clock(clock: matches.SeatClock) -> pb.SeatClock:
    return pb.SeatClock(
        seat=clock.seat,
        deadline=wire_time(clock.deadline),
        bank_left=wire_duration(clock.bank_left),
    )
