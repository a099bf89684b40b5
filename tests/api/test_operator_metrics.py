"""What a board shows of the operator: whom he keeps out, and what he did."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from google.protobuf.duration_pb2 import Duration

from durak_server.api.callers import Scope
from durak_server.app import DurakServer
from durak_server.observe.audit import Act
from tests.api.operators import OPERATED, kept_in, operating
from tests.fake_time import FakeTime
from tests.live_server import connected, failure_of, metric, running_server, server_at


def banned(server: DurakServer) -> float:
    return metric(server, "durak_players_banned")


@contextmanager
def counted(server: DurakServer, **expected: int) -> Iterator[None]:
    """Demand that these acts are counted in the block, each so often, and no others."""
    before = {act.name: acts(server, act) for act in Act}
    yield
    grown = {act.name: acts(server, act) - before[act.name] for act in Act}
    assert {name: number for name, number in grown.items() if number} == expected


def acts(server: DurakServer, act: Act) -> float:
    return metric(server, "durak_operator_acts_total", act=act.name)


async def test_bans_count_while_they_keep_somebody_out() -> None:
    time = FakeTime()
    async with server_at(time.keeper, **OPERATED) as server, operating(server) as operator:
        await operator.ban("anna", duration=Duration(seconds=60))
        await operator.ban("anna", duration=Duration(seconds=3600))
        await operator.ban("boris")
        assert banned(server) == 2

        time.advance(3600)
        assert banned(server) == 1
        await operator.unban("boris")
        assert banned(server) == 0


async def test_bans_of_before_the_start_count(tmp_path: Path) -> None:
    async with running_server(**kept_in(tmp_path)) as server, operating(server) as operator:
        await operator.ban("anna")
    async with running_server(**kept_in(tmp_path)) as server:
        assert banned(server) == 1


async def test_acts_are_counted_by_kind_and_looking_is_none(tmp_path: Path) -> None:
    async with (
        running_server(**kept_in(tmp_path)) as server,
        connected(server) as calls,
        operating(server, Scope.ADMIN, Scope.HANDS) as operator,
    ):
        match_id = (await (await calls.guest()).create()).info.match_id
        with counted(server):
            await operator.list()
            await operator.inspect(match_id)
            await operator.bans()
            await operator.limits()
        with counted(server, LOOK_AT_HANDS=1, TERMINATE_MATCH=1):
            await operator.inspect(match_id, open_cards=True)
            await operator.terminate(match_id)
        with counted(server, BAN=2, LIFT_BAN=1, SET_LIMITS=1, DRAIN=1):
            await operator.ban("anna")
            await operator.ban("boris")
            await operator.unban("anna")
            await operator.set_limits(calls_per_second=20)
            await operator.drain()


async def test_what_could_not_be_written_down_is_not_done_and_not_counted(tmp_path: Path) -> None:
    async with running_server(**kept_in(tmp_path)) as server, operating(server) as operator:
        (tmp_path / "audit.log").mkdir()
        with counted(server):
            assert (await failure_of(operator.ban("anna"))).reason == "STORE_UNAVAILABLE"
        assert banned(server) == 0
