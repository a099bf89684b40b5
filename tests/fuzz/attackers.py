"""Callers who send anything, and judge every answer: it comes, and a refusal says why."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Final, Protocol, TypeVar

from google.protobuf.message import Message
from grpc import StatusCode, aio

from durak_server.pb.durak.v1 import error_pb2
from durak_server.pb.durak.v1 import play_service_pb2 as pb
from tests.api.taps import sequences_in
from tests.fuzz.methods import WireMethod
from tests.live_server import Guest, Metadata, read_failure

_SECONDS: Final = 30.0
"""A call that takes longer hangs."""
_READ: Final = 2
"""Messages that are read of a stream before it is cancelled."""
_REASONS: Final = set(error_pb2.ErrorReason.keys())
_OURS: Final = (StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DEADLINE_EXCEEDED)
_Answer = TypeVar("_Answer")


class Readable(Protocol):
    """A call whose answers are read by hand."""

    async def read(self) -> object: ...


def assert_refused_well(error: aio.AioRpcError) -> None:
    """Check a refusal: none of it is our fault, and its reason is one of the contract."""
    assert error.code() not in _OURS, error
    failure = read_failure(error)
    assert f"ERROR_REASON_{failure.reason}" in _REASONS, failure
    if error.code() is StatusCode.RESOURCE_EXHAUSTED:
        assert failure.retry_seconds, failure


async def answer_of(call: Awaitable[_Answer]) -> _Answer | None:
    """Return the answer to a call, None if it is refused as it may be."""
    try:
        return await call
    except aio.AioRpcError as error:
        assert_refused_well(error)
        return None


async def call(guest: Guest, method: WireMethod, request: Message) -> Message | None:
    """Make a call of one request and one answer."""
    answer = await call_raw(
        guest.calls.channel, guest.metadata, method, request.SerializeToString()
    )
    return None if answer is None else method.response.FromString(answer)


async def call_raw(
    channel: aio.Channel, metadata: Metadata, method: WireMethod, data: bytes
) -> bytes | None:
    """Send bytes to a method of one request and one answer."""
    stub: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method.path)
    return await answer_of(stub(data, metadata=metadata, timeout=_SECONDS))


async def stream_raw(
    channel: aio.Channel, metadata: Metadata, method: WireMethod, data: bytes
) -> bytes | None:
    """Send bytes to a method that streams answers, as its only request.

    Return the first answer with anything in it, None if there is none.
    """
    if method.streams_requests:
        return await _send_on_stream(channel.stream_stream(method.path), metadata, data)
    one: aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(method.path)
    call = one(data, metadata=metadata, timeout=_SECONDS)
    answers = await _some_of(call, bytes)
    call.cancel()
    return next(filter(None, answers), None)


async def _send_on_stream(
    both: "aio.StreamStreamMultiCallable[bytes, bytes]", metadata: Metadata, data: bytes
) -> bytes | None:
    call = both(metadata=metadata, timeout=_SECONDS)
    # What is sent on a stream that is refused can take the place of the reason.
    if await answer_of(call.read()) is None:
        return None
    await call.write(data)
    answers = await _some_of(call, bytes)
    call.cancel()
    return next(filter(None, answers), None)


async def read_some(guest: Guest, method: WireMethod, request: Message) -> list[Message]:
    """Open a stream of answers, read a few, and go; sequences must follow one another."""
    stub: aio.UnaryStreamMultiCallable[Message, Message] = guest.calls.channel.unary_stream(
        method.path, lambda message: message.SerializeToString(), method.response.FromString
    )
    stream = stub(request, metadata=guest.metadata, timeout=_SECONDS)
    read = await _some_of(stream, method.response)
    assert_in_order(
        [one.update for one in read if isinstance(one, pb.StreamEventsResponse)],
        request.after_sequence if isinstance(request, pb.StreamEventsRequest) else 0,
    )
    stream.cancel()
    return read


async def _some_of(stream: Readable, kind: type[_Answer]) -> list[_Answer]:
    read: list[_Answer] = []
    while len(read) < _READ:
        answer = await answer_of(stream.read())
        if not isinstance(answer, kind):
            break
        read.append(answer)
    return read


def assert_in_order(updates: Sequence[pb.Update], after: int) -> None:
    """Check that the updates of one match tell every event above `after` once, in order."""
    told = [event.sequence for update in updates for event in update.events]
    assert told == list(range(after + 1, after + 1 + len(told))), updates
    for update in updates:
        assert max(sequences_in(update)) <= update.sequence, update


async def command(guest: Guest, requests: Sequence[pb.PlayRequest]) -> list[pb.PlayResponse]:
    """Send commands on a stream of one's own, their tags made unique; each is answered once."""
    stream = guest.calls.play.Play(metadata=guest.metadata, timeout=_SECONDS)
    # As in `stream_raw`.
    if await answer_of(stream.read()) is None:
        return []
    tags = _tagged(requests)
    for request in requests:
        await stream.write(request)
    read: list[pb.PlayResponse] = []
    answered: list[int] = []
    while len(answered) < len(tags):
        message = await stream.read()
        assert isinstance(message, pb.PlayResponse), "the stream ended"
        read.append(message)
        answered += [answer.tag for answer in message.answers]
        _assert_refused_well_in(message)
    stream.cancel()
    assert sorted(answered) == tags
    return read


def _tagged(requests: Sequence[pb.PlayRequest]) -> list[int]:
    commands = [command for request in requests for command in request.commands]
    for tag, each in enumerate(commands, 1):
        each.tag = tag
    return [each.tag for each in commands]


def _assert_refused_well_in(message: pb.PlayResponse) -> None:
    refusals = [one.refusal for one in message.answers if one.HasField("refusal")]
    for refusal in [*refusals, *(one.refusal for one in message.ended)]:
        assert refusal.code not in (code.value[0] for code in _OURS), message
        assert f"ERROR_REASON_{refusal.reason}" in _REASONS, message


async def together(calls: Sequence[Awaitable[_Answer]]) -> list[_Answer]:
    """Await calls that are made at the same time."""
    return list(await asyncio.gather(*calls))
