"""Headers that no client would send: whoever does harms himself alone, and fills no log."""

import pytest

from durak_server.app import DurakServer
from tests.api.raw_http2 import raw_connection
from tests.debug_lines import debug_lines
from tests.live_server import Calls

PATHS = {
    "no text": b"/durak.v1.AuthService/\xff",
    "half a surrogate": b"/\xed\xa0\x80",
    "a byte of nothing": b"/durak.v1.AuthService/CreateGuest\0",
    "no slash": b"durak.v1.AuthService/CreateGuest",
    "nothing at all": b"",
}
CREATE_GUEST = b"/durak.v1.AuthService/CreateGuest"
NAMED_A = b"\n\x01A"


@pytest.mark.parametrize("case", PATHS)
async def test_an_odd_path_ends_its_call_alone(
    server: DurakServer, calls: Calls, case: str
) -> None:
    async with raw_connection(server) as raw:
        await raw.end(await raw.call(PATHS[case], b""))
        await raw.end(await raw.call(CREATE_GUEST, NAMED_A))

    assert (await calls.guest("Anna")).name == "Anna"
    async with raw_connection(server) as another:
        await another.end(await another.call(CREATE_GUEST, NAMED_A))


async def test_headers_that_are_no_text_are_not_in_the_log(server: DurakServer) -> None:
    with debug_lines() as lines:
        async with raw_connection(server) as raw:
            odd = (b"authorization", b"Bearer a-token\xff"), (b"x-other", b"\xfe")
            await raw.end(await raw.call(CREATE_GUEST, NAMED_A, *odd))
        text = lines.getvalue()

    assert "a-token" not in text
    assert "Traceback" not in text
    assert text.count("CreateGuest") == 1
