"""Commands on a stream of Play are counted and timed, as calls are."""

import asyncio

from grpc import StatusCode

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from durak_server.pb.durak.v1 import talk_pb2
from tests.api.one_stream import by_turn, follow, move, one_stream, unfollow
from tests.fake_time import FakeTime
from tests.live_server import Calls, connected, first_move, metric, server_at, started_match


def answered(server: DurakServer, kind: str) -> float:
    return metric(server, "durak_play_command_seconds_count", kind=kind)


def hello(match_id: str) -> pb.PlayCommand:
    speech = talk_pb2.Speech(phrase=talk_pb2.PHRASE_HELLO)
    return pb.PlayCommand(say=pb.SayRequest(match_id=match_id, speech=speech))


async def test_every_command_is_timed_by_its_kind_and_counted_by_its_code(
    server: DurakServer, calls: Calls
) -> None:
    players = await calls.guests(2)
    match_id = await started_match(2, players)
    mover, _ = await by_turn(match_id, players)
    chosen = first_move(await mover.view(match_id))
    moves = [move(match_id, chosen), move(match_id, chosen)]  # the second is refused

    async with one_stream(mover) as stream:
        await stream.ask(follow(match_id), *moves, hello(match_id), unfollow(match_id))
        await stream.ask(pb.PlayCommand())

    codes = {
        code.name: metric(server, "durak_play_answers_total", grpc_code=code.name)
        for code in StatusCode
    }
    assert {code: number for code, number in codes.items() if number} == {
        "OK": 4,
        "FAILED_PRECONDITION": 1,
        "INVALID_ARGUMENT": 1,
    }
    kinds = ("FOLLOW", "MOVE", "SAY", "UNFOLLOW", "unknown")
    assert [answered(server, kind) for kind in kinds] == [1, 2, 1, 1, 1]
    assert metric(server, "durak_play_command_seconds_sum", kind="MOVE") > 0


async def test_the_time_for_which_a_refusal_is_held_is_not_the_servers() -> None:
    time = FakeTime()
    settings = {"calls_per_second": 0.001, "refusal_hold_seconds": 1}
    async with server_at(time.keeper, **settings) as server, connected(server) as calls:
        async with one_stream(await calls.guest()) as stream:
            await stream.send(unfollow("m"))
            reading = asyncio.create_task(stream.read())
            while not answered(server, "UNFOLLOW"):
                await calls.guest()

            assert not reading.done()
            time.advance(1)
            [answer] = (await reading).answers
        assert answer.refusal.reason == "RATE_LIMITED"
