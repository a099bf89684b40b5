"""Calls written by hand, frame by frame (RFC 9113, 4): as no library of gRPC would make them."""

import asyncio
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from durak_server.app import DurakServer

DATA, HEADERS, RESET, SETTINGS, WINDOW = 0x0, 0x1, 0x3, 0x4, 0x8
_ACKNOWLEDGES = 0x1
_ENDS_STREAM, _ENDS_HEADERS = 0x1, 0x4
_INITIAL_WINDOW = 0x4
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_MOST_IN_A_FRAME = 16_384
USUAL_WINDOW = 65_535
"""Bytes of one stream that may come before the reader asks for more."""


class RawConnection:
    """A connection that takes `window` bytes of each answer and never asks for more."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, window: int
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._streams = iter(range(1, 2**31, 2))
        self._first_window = USUAL_WINDOW
        self._granted: Counter[int] = Counter()
        """The bytes for which the server has asked: by stream, and under 0 of all together."""
        self._sent: Counter[int] = Counter()
        self._unacknowledged = 1
        """The settings that were sent and of which the server has not said that it has them."""
        writer.write(_PREFACE + _frame(SETTINGS, 0, 0, struct.pack(">HI", _INITIAL_WINDOW, window)))

    async def begin(self, path: bytes, *metadata: tuple[bytes, bytes]) -> int:
        """Begin a call; return the number of its stream."""
        stream = next(self._streams)
        fields = [
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", path),
            (b":authority", b"localhost"),
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
            *metadata,
        ]
        block = b"".join(_field(name, value) for name, value in fields)
        await self._send(_frame(HEADERS, _ENDS_HEADERS, stream, block))
        return stream

    async def send(self, stream: int, message: bytes, length: int | None = None) -> None:
        """Send a message of a call, or a part of one that shall have `length` bytes."""
        data = struct.pack(">BI", 0, len(message) if length is None else length) + message
        await self._send_data(stream, data)

    async def send_all_that_is_taken(self, stream: int) -> int:
        """Send zeros for as long as the server asks for more; return how many it has of the call.

        Of those of which it never said that it takes them it may take none.
        """
        while room := await self._room(stream):
            await self._send_data(stream, bytes(room))
        return self._sent[stream]

    async def half_close(self, stream: int) -> None:
        """Send no more messages."""
        await self._send(_frame(DATA, _ENDS_STREAM, stream, b""))

    async def call(self, path: bytes, message: bytes, *metadata: tuple[bytes, bytes]) -> int:
        """Make a call of one message; return the number of its stream."""
        stream = await self.begin(path, *metadata)
        await self.send(stream, message)
        await self.half_close(stream)
        return stream

    async def reset(self, stream: int) -> None:
        """Give a call up."""
        await self._send(_frame(RESET, 0, stream, struct.pack(">I", 8)))

    async def headers(self, stream: int) -> None:
        """Return when the next headers of a call have come, those of its end included."""
        await self._next(stream, HEADERS)

    async def end(self, stream: int) -> None:
        """Return when the server has ended a call, in whatever way."""
        while True:
            kind, flags = await self._next(stream, HEADERS, RESET)
            if kind == RESET or flags & _ENDS_STREAM:
                return

    async def all_has_come(self) -> None:
        """Return when the server knows of all that was sent."""
        await self._send(_frame(SETTINGS, 0, 0, b""))
        self._unacknowledged += 1
        while self._unacknowledged:
            await self._next(0, SETTINGS)

    async def _room(self, stream: int) -> int:
        """Return how many bytes the server takes once it knows of all that was sent."""
        await self.all_has_come()
        of_stream = self._first_window + self._granted[stream] - self._sent[stream]
        return min(of_stream, USUAL_WINDOW + self._granted[0] - self._sent.total())

    async def _next(self, stream: int, *kinds: int) -> tuple[int, int]:
        while True:
            head = await self._reader.readexactly(9)
            high, low, kind, flags, number = struct.unpack(">BHBBI", head)
            payload = await self._reader.readexactly(high << 16 | low)
            if kind == WINDOW:
                self._granted[number] += int.from_bytes(payload)
            if kind == SETTINGS:
                self._unacknowledged -= flags & _ACKNOWLEDGES
                said = dict(struct.iter_unpack(">HI", payload))
                self._first_window = said.get(_INITIAL_WINDOW, self._first_window)
            if number == stream and kind in kinds:
                return kind, flags

    async def _send_data(self, stream: int, data: bytes) -> None:
        self._sent[stream] += len(data)
        for start in range(0, len(data), _MOST_IN_A_FRAME):
            part = data[start : start + _MOST_IN_A_FRAME]
            await self._send(_frame(DATA, 0, stream, part))

    async def _send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


@asynccontextmanager
async def raw_connection(
    server: DurakServer, window: int = USUAL_WINDOW
) -> AsyncIterator[RawConnection]:
    """Connect to a server until the end of the block; see `RawConnection`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield RawConnection(reader, writer, window)
    finally:
        writer.close()


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _field(name: bytes, value: bytes) -> bytes:
    """Return a header as it stands, known to no table (RFC 7541, 6.2.2)."""
    return b"\0" + _text(name) + _text(value)


def _text(text: bytes) -> bytes:
    """Return a text with its length, of which 7 bits fit into the first byte (RFC 7541, 5)."""
    if len(text) < 127:
        return bytes([len(text)]) + text
    length, rest = bytearray([127]), len(text) - 127
    while rest >= 128:
        length.append(rest % 128 | 128)
        rest >>= 7
    return bytes(length) + bytes([rest]) + text
