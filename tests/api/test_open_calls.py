"""Calls that wait for their caller: so many of an address, and no more."""

from collections.abc import Awaitable, Callable

import pytest
from grpc import aio

from tests.api.raw_http2 import RawConnection, raw_connection
from tests.api.tokenless import check_health
from tests.live_server import Calls, Failure, connected, read_failure, running_server

CREATE_GUEST = b"/durak.v1.AuthService/CreateGuest"
NAMED_A = b"\n\x01A"


async def takes_no_answer(raw: RawConnection) -> None:
    await raw.headers(await raw.call(CREATE_GUEST, NAMED_A))


async def sends_half_a_message(raw: RawConnection) -> None:
    await raw.send(await raw.begin(CREATE_GUEST), b"", len(NAMED_A))


async def sends_nothing_for_a_stream(raw: RawConnection) -> None:
    await raw.begin(b"/durak.v1.PlayService/StreamEvents")


async def calls_what_is_not_there(raw: RawConnection) -> None:
    await raw.begin(b"/made.Up/Method")


WAITING: list[Callable[[RawConnection], Awaitable[None]]] = [
    takes_no_answer,
    sends_half_a_message,
    sends_nothing_for_a_stream,
    calls_what_is_not_there,
]


@pytest.mark.parametrize("wait", WAITING)
async def test_an_address_has_so_many_calls_open(
    wait: Callable[[RawConnection], Awaitable[None]],
) -> None:
    async with running_server(open_calls_per_address=3) as server, connected(server) as calls:
        async with raw_connection(server, window=0) as raw:
            for _ in range(3):
                await wait(raw)
            await raw.all_has_come()  # before there are others, who would keep one of them out
            while not (failure := await failure_of_guest(calls)):
                pass

            assert failure.reason == "TOO_MANY_STREAMS"
            assert failure.metadata == {"limit": "open_calls_per_address"}
            await check_health(calls.channel)

        while await failure_of_guest(calls):
            pass


async def failure_of_guest(calls: Calls) -> Failure | None:
    """Return why nobody can become a guest now; None if somebody just did."""
    try:
        await calls.guest()
    except aio.AioRpcError as error:
        return read_failure(error)
    return None
