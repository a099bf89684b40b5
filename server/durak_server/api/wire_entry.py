"""Viewers' copies of what happens before the start, for answers."""

from typing import assert_never

from durak_server import matches
from durak_server.pb.durak.v1 import event_pb2 as pb


def set_entry_kind(
    event: pb.Event, seen: matches.SeenInviteRenewed | matches.SeatsReleased | matches.ReadyChanged
) -> None:
    """Say in an event what happened."""
    match seen:
        case matches.SeenInviteRenewed():
            event.invite_renewed.SetInParent()
        case matches.SeatsReleased(count):
            event.seats_released.count = count
        case matches.ReadyChanged(seat, is_ready):
            event.ready_changed.CopyFrom(pb.ReadyChanged(seat=seat, is_ready=is_ready))
        case _:
            assert_never(seen)
