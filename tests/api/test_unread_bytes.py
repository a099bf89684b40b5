"""What a caller sends and the server does not read: it is not much, whoever sends it."""

import pytest

from durak_server.app import DurakServer
from tests.api.raw_http2 import raw_connection

LARGEST = 65_536
STREAMED = {
    "a stream that has its message": (b"/grpc.health.v1.Health/Watch", b"", None),
    "a message that never ends": (b"/grpc.health.v1.Health/Watch", b"", 2 * LARGEST),
    "a message for no method": (b"/made.Up/Method", b"", 2 * LARGEST),
}


@pytest.mark.parametrize("case", STREAMED)
async def test_a_call_holds_two_requests_at_the_most(server: DurakServer, case: str) -> None:
    path, message, length = STREAMED[case]
    async with raw_connection(server) as raw:
        stream = await raw.begin(path)
        await raw.send(stream, message, length)

        # Beside two requests the head of the message, and what may be sent ahead of its end.
        assert await raw.send_all_that_is_taken(stream) <= 3 * LARGEST
