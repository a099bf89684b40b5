"""Calls given up at any moment: what they took is given back."""

from durak_server.app import DurakServer
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.api.raw_http2 import raw_connection
from tests.live_server import Calls, metric, until

PLAY = b"/durak.v1.PlayService/Play"


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
