"""Many streams, one after the other and at once: what goes wrong elsewhere (docs/pitfalls.md).

`make streams` opens 20,000, and lets a stream idle with pings for more than a minute.
"""

import asyncio
from pathlib import Path

from grpc import StatusCode, aio

from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.live_server import connected, first_move, running_server, started_match
from tests.streams.openings import (
    Readable,
    connection,
    memory_kib,
    opener,
    streaming_server,
)

OPENINGS = 400


async def test_streams_opened_and_cancelled_leave_memory_flat(tmp_path: Path) -> None:
    """P-STREAM-8: a handler that swallows cancellation, or a task kept for each message, leaks."""
    with streaming_server(tmp_path) as server:
        async with connection(server) as calls:
            opening = await opener(calls)
            await opening.open_and_cancel(OPENINGS)
            grown = []
            for _ in range(3):
                before = memory_kib(server)
                await opening.open_and_cancel(2 * OPENINGS)
                grown.append(memory_kib(server) - before)
                # A stream that stays costs 25 KiB; a tenth of it, kept of each, would be 2,000
                # here, every time. What the allocator takes once is no leak.
                if grown[-1] < 1_536:
                    break
            assert min(grown) < 1_536, grown


async def test_five_hundred_open_streams_do_not_hinder_a_signal(tmp_path: Path) -> None:
    """P-OPS-2: the process does not end while a stream is open."""
    with streaming_server(tmp_path) as server:
        async with connection(server) as calls:
            opening = await opener(calls)
            guest, match_id = opening.guest, opening.match_id
            request = pb.StreamEventsRequest(match_id=match_id)
            streams: list[Readable] = [
                *(calls.play.StreamEvents(request, metadata=guest.metadata) for _ in range(400)),
                *(calls.play.Play(metadata=guest.metadata) for _ in range(100)),
            ]
            await asyncio.gather(*(stream.read() for stream in streams))

            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            codes = await asyncio.gather(*map(code_at_end, streams))

            assert codes == [StatusCode.UNAVAILABLE] * 500
            assert await stopping == 0


async def code_at_end(call: Readable) -> StatusCode:
    """Read a stream to its end and return how it ends."""
    try:
        while await call.read() is not aio.EOF:
            pass
    except aio.AioRpcError as error:
        return error.code()
    return StatusCode.OK


async def test_a_move_on_a_connection_of_120_streams_is_made_and_told_on_all() -> None:
    """P-STREAM-7: many streams reach the connection's limit, and the next call hangs silently."""
    async with running_server() as server, connected(server) as calls:
        players = await calls.guests(2)
        match_id = await started_match(2, players)
        views = [await player.view(match_id) for player in players]
        mover = 0 if views[0].legal_moves else 1
        streams = [players[mover].follow(match_id) for _ in range(120)]
        reached = [(await anext(stream)).sequence for stream in streams]

        moved = await players[mover].move(match_id, first_move(views[mover]))

        assert reached == [views[0].sequence] * 120
        told = [await anext(stream) for stream in streams]
        assert [update.sequence for update in told] == [moved.sequence] * 120
        for stream in streams:
            await stream.aclose()
