"""Calls given up at any moment: what they took is given back."""

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.api.raw_http2 import raw_connection
from tests.debug_lines import debug_lines
from tests.live_server import Calls, metric, until

PLAY = b"/durak.v1.PlayService/Play"
TAKEN_BY_NOBODY = [b"/made.Up/Method", b"/grpc.health.v1.Health/Watch"]


async def test_a_stream_given_up_with_its_commands_follows_nothing(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    match_ids = [(await guest.create()).info.match_id for _ in range(20)]
    follow_all = pb.PlayRequest(
        commands=[
            pb.PlayCommand(follow=pb.FollowCommand(match_id=match_id)) for match_id in match_ids
        ]
    ).SerializeToString()
    bearer = (b"authorization", f"Bearer {guest.token}".encode())

    async with raw_connection(server) as raw:
        for _ in range(20):
            stream = await raw.begin(PLAY, bearer)
            await raw.headers(stream)
            await raw.send(stream, follow_all)
            await raw.reset(stream)

    await until(lambda: metric(server, "durak_streams") == 0, guest)
    assert [live.watchers for live in server.live] == [0] * len(match_ids)


async def test_a_call_given_up_while_it_is_answered_is_no_fault_of_ours(
    server: DurakServer, calls: Calls
) -> None:
    guest = await calls.guest()
    with debug_lines() as lines:
        async with raw_connection(server, window=0) as raw:
            for path in TAKEN_BY_NOBODY * 50:
                await raw.call(path, b"")
            await raw.headers(1)
        for _ in range(100):
            await guest.my_matches()
        text = lines.getvalue()

    assert "internal error" not in text
    assert "Traceback" not in text
