"""Who is waited for, how long to wait, and what is counted of those who cannot."""

import pytest
from grpc import StatusCode

from durak_server.api.failures import CallFailed
from durak_server.api.reasons import CODES
from durak_server.matches import MatchStatus
from durak_server.pb.durak.v1.error_pb2 import ErrorReason
from durak_server.rules import Position, RuleSet, legal_moves, to_act
from durak_server.rules.moves import count
from tests.live_server import connected, failure_of, metric, running_server, started_match
from tests.matches.tabletop import playing_table

WAIT_AND_RETRY = (StatusCode.RESOURCE_EXHAUSTED, StatusCode.UNAVAILABLE)


@pytest.mark.parametrize(
    "reason", [reason for reason, code in CODES.items() if code in WAIT_AND_RETRY]
)
def test_a_refusal_that_waiting_helps_says_how_long_to_wait(
    reason: ErrorReason.ValueType,
) -> None:
    failure = CallFailed(reason, "")
    assert failure.retry_after_seconds is not None
    assert failure.retry_after_seconds > 0


def test_a_player_with_one_legal_move_is_waited_for_like_any_other() -> None:
    lone = 0
    for seed in range(10):
        table = playing_table(RuleSet(seats=3, deals=1), seed)
        while table.match.status is MatchStatus.PLAYING:
            lone += has_one_move(table.match.position)
            table.move_at_random()
    assert lone > 0, "whoever has no choice is never asked"


def has_one_move(position: Position | None) -> bool:
    """Whether a deal waits for a seat that can do one thing only."""
    assert position
    groups = legal_moves(position, to_act(position)[0])
    return len(groups) == 1 and count(groups[0]) == 1


async def test_leavers_and_makers_of_many_guests_are_counted() -> None:
    async with running_server(guests_per_second=0.1) as server, connected(server) as calls:
        players = await calls.guests(2)
        for seat in (0, 1):
            await players[seat].leave(await started_match(2, players))
        refused = await failure_of(calls.guests(1))

        assert refused.reason == "RATE_LIMITED"
        assert metric(server, "durak_players_left_total") == 2
        assert metric(server, "durak_rate_limited_total", limit="guests_per_second") == 1
