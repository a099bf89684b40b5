"""What commands led to, for answers."""

from durak_server.api.callers import Caller
from durak_server.api.wire_matches import wire_info
from durak_server.matches import PlayerJoined, summary
from durak_server.pb.durak.v1 import match_pb2
from durak_server.runtime import Outcome


def match_info(outcome: Outcome, caller: Caller) -> match_pb2.MatchInfo:
    """Return the match afterwards, as the caller may know it."""
    return wire_info(summary(outcome.match), caller.player_id)


def next_commitment(outcome: Outcome) -> bytes:
    """Return what the next shuffle is committed to; empty if none is to come."""
    shuffle = outcome.match.next_shuffle
    return shuffle.commitment if shuffle else b""


def seat_of_caller(outcome: Outcome, caller: Caller) -> int:
    """Return the seat that somebody has who just sat down, or sat there before."""
    seat = outcome.match.seat_of(caller.player_id)
    assert seat is not None, "who joined has a seat"
    return seat


def seat_of_bot(outcome: Outcome) -> int:
    """Return the seat of the bot that was added."""
    for record in outcome.seen(None):
        if isinstance(record.event, PlayerJoined):
            return record.event.seat
    raise AssertionError("adding a bot seats one")
